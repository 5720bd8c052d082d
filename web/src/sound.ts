// Short tones, made by the browser itself; silent until the first gesture and when muted.

import { settings } from './settings.svelte';

export type Sound = 'place' | 'reply' | 'win' | 'loss' | 'draw' | 'call';

/** Each note: pitch in Hz, start and length in seconds. */
const TUNES: Record<Sound, [number, number, number][]> = {
  place: [[520, 0, 0.07]],
  reply: [[390, 0, 0.08]],
  win: [
    [523, 0, 0.12],
    [659, 0.11, 0.12],
    [784, 0.22, 0.25],
  ],
  loss: [
    [392, 0, 0.15],
    [311, 0.14, 0.28],
  ],
  draw: [
    [440, 0, 0.12],
    [440, 0.16, 0.18],
  ],
  call: [
    [660, 0, 0.08],
    [880, 0.09, 0.1],
  ],
};

let audio: AudioContext | undefined;
let touched = false;
for (const gesture of ['pointerdown', 'keydown'] as const) {
  globalThis.addEventListener?.(gesture, () => (touched = true), { once: true, capture: true });
}

export function sound(name: Sound): void {
  if (!settings.sound || !touched || typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [pitch, start, length] of TUNES[name]) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = 'triangle';
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, now + start);
    volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + start);
    tone.stop(now + start + length);
  }
}
