// Tells how large an element is, now and whenever that changes.

/** @returns what ends it. */
export function watchSize(element: HTMLElement, measure: () => void): () => void {
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => observer.disconnect();
}
