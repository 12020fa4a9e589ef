// Where a tooltip stands in the window: beside the point, on the side with more room.

/** The styles of a fixed element at this place. @param at in pixels of the window */
export function besidePoint({ x, y }: { readonly x: number; readonly y: number }): Readonly<Record<string, string>> {
  return {
    ...(x < innerWidth / 2 ? { left: `${x + 14}px` } : { right: `${innerWidth - x + 14}px` }),
    ...(y < innerHeight / 2 ? { top: `${y + 16}px` } : { bottom: `${innerHeight - y + 16}px` }),
  };
}
