// Sounds made by the browser itself: wood for the solid side, glass for the outline, one note per piece of a winning
// line. Silent until the first gesture and when muted.

import { settings } from './settings.svelte';

export type Sound = 'win' | 'loss' | 'draw' | 'call' | 'refusal';

let audio: AudioContext | undefined;
let out: AudioNode | undefined;
let touched = false;
for (const gesture of ['pointerdown', 'keydown'] as const) {
  globalThis.addEventListener?.(gesture, () => (touched = true), { once: true, capture: true });
}

/** −18 dB. */
const PEAK = 0.126;

/** Where sounds go: gently compressed, so that two at once are not louder than one. */
function stage(): { audio: AudioContext; out: AudioNode } | undefined {
  if (!settings.sound || !touched || typeof AudioContext === 'undefined') return undefined;
  if (!audio || !out) {
    audio = new AudioContext();
    const compressor = audio.createDynamicsCompressor();
    compressor.connect(audio.destination);
    out = compressor;
  }
  if (audio.state === 'suspended') void audio.resume();
  return { audio, out };
}

/** A sine that fades; `to` is the pitch that it slides to. */
function tone(pitch: number, at: number, length: number, peak: number, to = pitch): void {
  const { audio, out } = stage()!;
  const [wave, volume] = [audio.createOscillator(), audio.createGain()];
  wave.frequency.setValueAtTime(pitch, at);
  wave.frequency.exponentialRampToValueAtTime(to, at + length);
  volume.gain.setValueAtTime(peak, at);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  wave.connect(volume).connect(out);
  wave.start(at);
  wave.stop(at + length);
}

/** Six milliseconds of noise through a narrow band: the knock of wood. */
function knock(at: number, pitch: number): void {
  const { audio, out } = stage()!;
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.006), audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  const [source, band, volume] = [audio.createBufferSource(), audio.createBiquadFilter(), audio.createGain()];
  source.buffer = noise;
  band.type = 'bandpass';
  band.frequency.value = 1_300 * pitch;
  band.Q.value = 6;
  volume.gain.value = PEAK * 3;
  source.connect(band).connect(volume).connect(out);
  source.start(at);
}

/** The pentatonic scale, as ratios within an octave. */
const STEPS = [1, 9 / 8, 5 / 4, 3 / 2, 5 / 3];

/** A piece lands after `delay_ms`; the higher its row, the higher it sounds. */
export function landing(side: 'first' | 'second', row: number, delay_ms: number): void {
  const on = stage();
  if (!on) return;
  const at = on.audio.currentTime + delay_ms / 1000;
  const pitch = STEPS[row % 5]! * 2 ** Math.floor(row / 5) * (0.98 + 0.04 * Math.random());
  if (side === 'first') {
    knock(at, pitch);
    tone(196 * pitch, at, 0.09, PEAK, 150 * pitch);
  } else {
    // −22 dB each: two partials of a struck glass.
    tone(1_568 * pitch, at, 0.22, 0.08);
    tone(Math.min(1_568 * 2.76 * pitch, 12_000), at, 0.22, 0.03);
  }
}

/** Each note: pitch in Hz, start and length in seconds. */
const TUNES: Record<Exclude<Sound, 'win'>, [number, number, number][]> = {
  loss: [
    [294, 0, 0.3],
    [220, 0.22, 0.5],
  ],
  draw: [
    [440, 0, 0.14],
    [440, 0.18, 0.2],
  ],
  call: [
    [660, 0, 0.08],
    [880, 0.09, 0.1],
  ],
  refusal: [[110, 0, 0.06]],
};
const WIN = [523, 659, 784, 1_047];

/** `beads` is the number of pieces in the winning line: one note for each, as the thread passes. */
export function sound(name: Sound, beads = 4): void {
  const on = stage();
  if (!on) return;
  const now = on.audio.currentTime;
  if (name === 'win') {
    for (let bead = 0; bead < beads; bead++)
      tone(
        WIN[Math.min(bead, WIN.length - 1)]! * (bead < WIN.length ? 1 : 1.25),
        now + bead * (0.42 / beads),
        0.35,
        PEAK,
      );
    return;
  }
  for (const [pitch, start, length] of TUNES[name]) tone(pitch, now + start, length, PEAK * 0.7);
}
