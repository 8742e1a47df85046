// SPDX-License-Identifier: Zlib
// Gives wheels and fingers on the canvas to emscripten's GLFW in the form that it understands. It takes what a browser
// reports of a wheel, some 100 pixels a notch, for notches; and it knows no fingers that move. So one finger drags with
// the left mouse button, two drag with the right one, and turn the wheel when the distance between them changes.
"use strict";

function translatePointers(canvas) {
  const nearer = 1.2; // two fingers turn the wheel by a notch when their distance grows this many times
  const perNotch = [100, 3, 1]; // pixels, lines or pages, by WheelEvent.deltaMode
  let pressed = null; // the button that is down
  let place = null; // of one finger, or in the middle of two
  let apart = 0; // pixels between two fingers at the last notch

  function send(kind, more) {
    canvas.dispatchEvent(new MouseEvent(kind, { clientX: place.x, clientY: place.y, bubbles: true, ...more }));
  }

  function turnWheel(notches) {
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: notches, bubbles: true }));
  }

  function release() {
    if (pressed !== null)
      send("mouseup", { button: pressed });
    pressed = null;
  }

  function middleOf(touches) {
    const last = touches[touches.length - 1];
    return { x: (touches[0].clientX + last.clientX) / 2, y: (touches[0].clientY + last.clientY) / 2 };
  }

  function distanceOf(touches) {
    return Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  }

  function begin(touches) {
    release();
    place = middleOf(touches);
    apart = touches.length === 2 ? distanceOf(touches) : 0;
    pressed = touches.length === 2 ? 2 : 0;
    send("mousemove");
    send("mousedown", { button: pressed });
  }

  function move(touches) {
    place = middleOf(touches);
    send("mousemove");
    for (; touches.length === 2 && distanceOf(touches) > apart * nearer; apart *= nearer)
      turnWheel(1);
    for (; touches.length === 2 && distanceOf(touches) < apart / nearer; apart /= nearer)
      turnWheel(-1);
  }

  // A browser's own events come here first and go no further. Those that are made above pass.
  function take(kind, handle) {
    window.addEventListener(kind, event => {
      if (event.target === canvas && event.isTrusted) {
        event.preventDefault();
        event.stopImmediatePropagation();
        handle(event);
      }
    }, { capture: true, passive: false });
  }

  take("wheel", event => turnWheel(-event.deltaY / perNotch[event.deltaMode]));
  take("touchstart", event => event.targetTouches.length <= 2 && begin(event.targetTouches));
  take("touchmove", event => event.targetTouches.length <= 2 && move(event.targetTouches));
  take("touchend", release); // a finger that stays of two drags nothing
  take("touchcancel", release);
}
