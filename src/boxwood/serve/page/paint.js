// How long it takes from an input to the picture, as entries of the browser's own performance timeline.
const MOST_KEPT = 500;

export function measureUntilPainted(start) {
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    // A message after the frame's callback is delivered once the frame is painted.
    channel.port1.onmessage = () => {
      performance.measure("redraw", { start, end: performance.now() });
      if (performance.getEntriesByName("redraw").length > MOST_KEPT) performance.clearMeasures("redraw");
    };
    channel.port2.postMessage(null);
  });
}
