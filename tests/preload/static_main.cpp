// SPDX-License-Identifier: Zlib
/// \file static_main.cpp
/// A program that is linked with other_bullet.cpp, so it seems to have Bullet inside.
extern "C" int runClient( const char* name );

int main()
{
    return runClient( "" );
}
