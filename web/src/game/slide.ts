// How a card arrives: it comes 16 pixels from below, by transform and opacity only.

interface Slide {
  duration: number;
  easing: (t: number) => number;
  css: (t: number, u: number) => string;
}

export function slide(_: Element, { moves }: { moves: boolean }): Slide {
  return {
    duration: moves ? 240 : 0,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) => `opacity: ${t}; transform: translateY(${16 * u}px)`,
  };
}
