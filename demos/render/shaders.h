// SPDX-License-Identifier: Zlib
/// \file shaders.h
/// The shaders' texts. Surfaces have light of the sun, with shadows, and of the sky, which is stronger from above.
#ifndef CLT_RENDER_SHADERS_H
#define CLT_RENDER_SHADERS_H

namespace cullet::render::shaders
{

// ------------------------------------------------------------------------------------------------- vertex shaders
//
// Each gives a point of a surface or a line, and `paint`, its colour. `local` and `size` are for fragment shaders.

/// The beginning for a shape that is drawn at many places. It is followed by one of the shapes, which defines corner().
/// Reads an Instance as bits, three texels of four words: position, colour; rotation; half extents.
///
/// Vertices and attributes of instances would be simpler. But without a graphics card they take ten times as long:
/// OpenGL begins anew for each instance, and vertices are what costs most.
constexpr const char* instance = R"(
uniform usampler2D places;
uniform int cornerCount;
uniform mat4 image;
uniform vec4 eye;   // with w = 0 the direction to an eye at infinity
out vec3 point, facing, local, size;
out vec4 paint;
vec3 position, halfExtents, toEye;
vec4 rotation;

uvec4 texel(int index)
{
    int width = textureSize(places, 0).x;
    return texelFetch(places, ivec2(index % width, index / width), 0);
}

vec3 turned(vec4 q, vec3 v)
{
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

/// The corner of a square, of two triangles.
vec2 squareCorner(int id)
{
    return vec2(id == 1 || id == 2 || id == 4 ? 1 : -1, id == 2 || id == 4 || id == 5 ? 1 : -1);
}

void corner(int id);

void main()
{
    int place = gl_VertexID / cornerCount * 3;
    uvec4 first = texel(place);
    position = uintBitsToFloat(first.xyz);
    rotation = uintBitsToFloat(texel(place + 1));
    halfExtents = uintBitsToFloat(texel(place + 2).xyz);
    toEye = eye.xyz - eye.w * position;
    paint = vec4(first.w & 255u, first.w >> 8 & 255u, first.w >> 16 & 255u, first.w >> 24) / 255.0;
    corner(gl_VertexID % cornerCount);
    gl_Position = image * vec4(point, 1);
}
)";

/// Three of the faces: the others look away from the eye.
constexpr const char* boxCorner = R"(
void corner(int id)
{
    int axis = id / 6;
    vec3 seen = turned(vec4(-rotation.xyz, rotation.w), toEye);
    float side = seen[axis] < 0.0 ? -1.0 : 1.0;
    vec2 square = squareCorner(id % 6);
    vec3 normal = vec3(0);
    normal[axis] = side;
    local = normal;
    local[(axis + 1) % 3] = side * square.x;
    local[(axis + 2) % 3] = square.y;
    point = position + turned(rotation, local * halfExtents);
    facing = turned(rotation, normal);
    size = halfExtents;
}
)";
constexpr int boxCornerCount = 18;

/// A square that faces the eye and covers the sphere. `local` is its centre, size.x its radius.
constexpr const char* sphereCorner = R"(
void corner(int id)
{
    float distance = length(toEye), radius = halfExtents.x;
    vec3 forward = toEye / distance;
    vec3 right = normalize(cross(forward, abs(forward.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
    float outside = max(distance * distance - radius * radius, 1e-4 * radius * radius);
    float reach = 1.03 * radius * (eye.w == 0.0 ? 1.0 : distance * inversesqrt(outside));
    vec2 square = squareCorner(id);
    point = position + reach * (square.x * right + square.y * cross(forward, right));
    facing = vec3(0);
    local = position;
    size = vec3(radius);
}
)";
constexpr int sphereCornerCount = 6;

/// Along y: for each sector a side and a part of both ends.
constexpr const char* cylinderCorner = R"(
vec3 onCircle(int sector, float height)
{
    float angle = float(sector) * 6.2831853 / 10.0;
    return vec3(cos(angle), height, sin(angle));
}

void corner(int id)
{
    int sector = id / 12, k = id % 12;
    vec2 square = squareCorner(k % 6);
    if (k < 6)
    {
        local = onCircle(sector + (square.y > 0.0 ? 1 : 0), square.x);
        facing = turned(rotation, vec3(local.x, 0, local.z));
    }
    else
    {
        float end = k < 9 ? 1.0 : -1.0;
        int turn = k % 3 == 0 ? 0 : (k % 3 == 1) == (k < 9) ? 1 : 2;
        local = turn == 0 ? vec3(0, end, 0) : onCircle(sector + (turn == 1 ? 1 : 0), end);
        facing = turned(rotation, vec3(0, end, 0));
    }
    point = position + turned(rotation, local * halfExtents);
    size = vec3(0);
}
)";
constexpr int cylinderCornerCount = 120;

/// The edges of a box: four along each axis.
constexpr const char* edgeCorner = R"(
void corner(int id)
{
    int axis = id / 8, edge = id / 2 % 4;
    local[axis] = float(id % 2) * 2.0 - 1.0;
    local[(axis + 1) % 3] = float(edge % 2) * 2.0 - 1.0;
    local[(axis + 2) % 3] = float(edge / 2) * 2.0 - 1.0;
    point = position + turned(rotation, local * halfExtents);
    facing = size = vec3(0);
}
)";
constexpr int edgeCornerCount = 24;

/// A vertex of a triangle or a line. The fragment shader finds the normal.
constexpr const char* vertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 colour;
uniform mat4 image;
out vec3 point, facing, local, size;
out vec4 paint;

void main()
{
    point = position;
    facing = local = size = vec3(0);
    paint = colour;
    gl_Position = image * vec4(point, 1);
}
)";

// ----------------------------------------------------------------------------------------------- fragment shaders

/// Light, used by surfaces and by the ground. Colours of light are linear; a display's are their power of 1 / 2.2.
constexpr const char* light = R"(
uniform vec3 sun;
uniform mat4 sunImage;
uniform sampler2DShadow sunDepth;
uniform float shadows;

const vec3 horizon = vec3(0.839, 0.871, 0.905);
const vec3 zenith = vec3(0.188, 0.352, 0.61);

vec3 skyColour(vec3 direction)
{
    return mix(horizon, zenith, sqrt(clamp(normalize(direction).y, 0.0, 1.0)));
}

/// The fraction of the sun that is visible: the mean of 3 x 3 samples, which softens the edges of shadows.
float sunShare(vec3 point)
{
    vec3 seen = (sunImage * vec4(point, 1)).xyz * 0.5 + 0.5;
    if (shadows == 0.0 || any(lessThan(seen, vec3(0))) || any(greaterThan(seen, vec3(1))))
        return 1.0;
    vec2 step = 1.0 / vec2(textureSize(sunDepth, 0));
    float lit = 0.0;
    for (int i = 0; i < 9; ++i)
        lit += texture(sunDepth, vec3(seen.xy + step * vec2(i % 3 - 1, i / 3 - 1), seen.z));
    return lit / 9.0;
}

/// \param bias  metres from the surface to the point that is tested for shadow
vec3 irradiance(vec3 point, vec3 normal, float bias)
{
    float sky = mix(0.16, 0.42, (1.0 + normal.y) / 2.0);
    float direct = max(-dot(normal, sun), 0.0);
    return vec3(sky + (direct > 0.0 ? 0.95 * direct * sunShare(point + bias * normal) : 0.0));
}

vec3 shown(vec3 light)
{
    return pow(clamp(light, 0.0, 1.0), vec3(1.0 / 2.2));
}
)";

/// The colour of a point of a surface.
constexpr const char* surfaceLight = R"(
in vec3 point, facing, local, size;
in vec4 paint;
uniform vec4 eye;
uniform float bias;
out vec4 result;

vec3 reflected(vec3 at, vec3 normal)
{
    return pow(paint.rgb, vec3(2.2)) * irradiance(at, normal, bias);
}
)";

/// A box, a cylinder or a triangle. Edges of boxes are darker, so that boxes of one colour can be told apart.
constexpr const char* surface = R"(
float edgeShade()
{
    vec3 inside = (1.0 - abs(local)) * size;   // metres to each face; one of them is 0
    float nearest = min(inside.x, inside.y), farthest = max(inside.x, inside.y);
    float toEdge = max(nearest, min(farthest, inside.z)); // the median
    float pixel = length(fwidth(point)) * 0.7;
    return mix(0.55, 1.0, size == vec3(0) ? 1.0 : smoothstep(0.5 * pixel, 1.5 * pixel, toEdge));
}

void main()
{
    vec3 flatNormal = cross(dFdx(point), dFdy(point));
    vec3 normal = normalize(facing == vec3(0) ? flatNormal : facing);
    normal = dot(normal, eye.xyz - point) < 0.0 ? -normal : normal;
    result = vec4(shown(edgeShade() * reflected(point, normal)), paint.a);
}
)";

/// Where the ray from the eye meets a sphere, and how much of the pixel the sphere covers.
constexpr const char* sphereHit = R"(
uniform mat4 image;

vec3 hitOf(vec3 through, vec3 centre, float radius, vec3 direction, out float covered)
{
    vec3 offset = through - centre;
    float along = dot(offset, direction);
    float fromAxis = length(offset - along * direction);
    covered = clamp((radius - fromAxis) / max(fwidth(fromAxis), 1e-9) + 0.5, 0.0, 1.0);
    float halfChord = sqrt(max(radius * radius - fromAxis * fromAxis, 0.0));
    vec3 hit = through - (along + halfChord) * direction;
    vec4 seen = image * vec4(hit, 1);
    gl_FragDepth = clamp(0.5 * seen.z / seen.w + 0.5, 0.0, 1.0);
    return hit;
}
)";

/// Its alpha is the part of the pixel that it covers.
constexpr const char* sphere = R"(
void main()
{
    float covered;
    vec3 hit = hitOf(point, local, size.x, normalize(point - eye.xyz), covered);
    if (covered == 0.0)
        discard;
    result = vec4(shown(reflected(hit, (hit - local) / size.x)), covered);
}
)";

constexpr const char* sphereShadow = R"(
in vec3 point, local, size;
uniform vec4 eye;
out vec4 result;

void main()
{
    float covered;
    hitOf(point, local, size.x, -normalize(eye.xyz), covered);
    if (covered < 0.5)
        discard;
    result = vec4(0);
}
)";

/// A line, or a part of a shadow's depth.
constexpr const char* plain = R"(
in vec4 paint;
uniform float opacity;
out vec4 result;

void main()
{
    result = vec4(paint.rgb, paint.a * opacity);
}
)";

/// The plane y = 0 around a point. Its lines show the scale: fine ones every two metres and strong ones every ten.
constexpr const char* groundVertex = R"(
uniform mat4 image;
uniform vec3 middle;
uniform float reach;
out vec3 point;

void main()
{
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0;
    point = vec3(middle.x + reach * corner.x, 0.0, middle.z + reach * corner.y);
    gl_Position = image * vec4(point, 1);
}
)";

constexpr const char* ground = R"(
in vec3 point;
uniform vec4 eye;
uniform float bias, clearDistance;
out vec4 result;

/// How dark the lines are. Lines thinner than a pixel are fainter in proportion.
float lines(float cell, float width, float strength)
{
    vec2 toLine = abs(point.xz - cell * round(point.xz / cell));
    vec2 pixel = max(fwidth(point.xz), vec2(1e-6));
    vec2 share = clamp((width + pixel) / 2.0 - toLine, vec2(0), min(vec2(width), pixel)) / pixel;
    return 1.0 - strength * max(share.x, share.y);
}

void main()
{
    vec3 colour = vec3(0.617, 0.617, 0.578) * lines(2.0, 0.05, 0.35) * lines(10.0, 0.12, 0.55);
    vec3 direction = point - eye.xyz;
    float clear = min(1.0, clearDistance / length(direction)); // without a hard edge at the horizon
    vec3 lit = colour * irradiance(point, vec3(0, 1, 0), bias);
    result = vec4(shown(mix(skyColour(direction), lit, clear * clear)), 1);
}
)";

/// The sky, behind everything.
constexpr const char* skyVertex = R"(
uniform vec3 right, up, forward;
out vec3 direction;

void main()
{
    vec2 corner = vec2(gl_VertexID % 2, gl_VertexID / 2) * 4.0 - 1.0; // a triangle around the image
    direction = forward + corner.x * right + corner.y * up;
    gl_Position = vec4(corner, 1, 1);
}
)";

constexpr const char* sky = R"(
in vec3 direction;
out vec4 result;

void main()
{
    result = vec4(shown(skyColour(direction)), 1);
}
)";

} // namespace cullet::render::shaders

#endif
