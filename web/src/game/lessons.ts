// The rules of each game as a few playable steps. A step shows a position and wants a move; whether the
// move does what was wanted is read off the position that the server answers with.

import type { Key } from '../i18n.svelte';

export interface Step {
  text: Key;
  game: string;
  position?: string;
  moves?: string;
  /** What the move has to do: win, be one of these, or just be made. */
  goal: { win: true } | { only: string[] } | { any: true };
}

export const LESSONS: Record<string, Step[]> = {
  'tic-tac-toe': [
    { text: 'learn.tic-tac-toe.1', game: 'tic-tac-toe', goal: { any: true } },
    { text: 'learn.tic-tac-toe.2', game: 'tic-tac-toe', moves: 'a1 b2 a2 c1', goal: { win: true } },
    { text: 'learn.tic-tac-toe.3', game: 'tic-tac-toe', moves: 'b2 a1 c3 a3', goal: { only: ['a2'] } },
    { text: 'learn.tic-tac-toe.4', game: 'tic-tac-toe', moves: 'a1 b2 c3 a3 c1 b1', goal: { win: true } },
  ],
  'connect-four': [
    { text: 'learn.connect-four.1', game: 'connect-four', goal: { any: true } },
    { text: 'learn.connect-four.2', game: 'connect-four', moves: '4 4 5 5 6 6', goal: { win: true } },
    { text: 'learn.connect-four.3', game: 'connect-four', moves: '3 4 3 4 2 4', goal: { only: ['4'] } },
    { text: 'learn.connect-four.4', game: 'connect-four', moves: '1 2 2 3 3 4 3 4 4 6', goal: { win: true } },
    { text: 'learn.connect-four.5', game: 'connect-four', moves: '4 4 5 5', goal: { only: ['3', '6'] } },
  ],
  simplexity: [
    { text: 'learn.simplexity.1', game: 'simplexity', goal: { any: true } },
    { text: 'learn.simplexity.2', game: 'simplexity', moves: '1r 1s 2s 2s 3r 3s', goal: { win: true } },
    { text: 'learn.simplexity.3', game: 'simplexity', moves: '1r 2r 7s 3r', goal: { win: true } },
    { text: 'learn.simplexity.4', game: 'simplexity', moves: '1r 7s 2s 6s 3r 5s', goal: { only: ['4r'] } },
  ],
  'chess-five': [
    { text: 'learn.chess-five.1', game: 'chess-five', goal: { any: true } },
    { text: 'learn.chess-five.2', game: 'chess-five', moves: 'R@a R@a N@b R@b B@c N@c Q@d N@d', goal: { win: true } },
    {
      text: 'learn.chess-five.3',
      game: 'chess-five',
      position: 'nb2qk1r/8/8/8/8/2N5/5B2/R2K2Q1[] w',
      goal: { any: true },
    },
    {
      text: 'learn.chess-five.4',
      game: 'chess-five',
      position: 'nb2qk1r/8/8/8/8/2N5/8/RBK1Q3[] w',
      goal: { win: true },
    },
  ],
  gomoku: [
    { text: 'learn.gomoku.1', game: 'gomoku:9x9x5', goal: { any: true } },
    { text: 'learn.gomoku.2', game: 'gomoku:9x9x5', moves: 'c5 c6 d5 d6 e5 e6 f5 f6', goal: { win: true } },
    { text: 'learn.gomoku.3', game: 'gomoku:9x9x5', moves: 'c5 d5 e4 e5 f6 f5 c7 g5', goal: { only: ['h5'] } },
    { text: 'learn.gomoku.4', game: 'gomoku:9x9x5', moves: 'd5 d7 e5 f3 f5 g7', goal: { only: ['c5', 'g5'] } },
  ],
  popout: [
    { text: 'learn.popout.1', game: 'popout', moves: '4 4 5 3', goal: { only: ['4p', '5p'] } },
    { text: 'learn.popout.2', game: 'popout', position: '7/7/7/3x3/xxxo3/oxox2o w', goal: { only: ['4p'] } },
    { text: 'learn.popout.3', game: 'popout', position: '7/7/7/x6/oxxx3/xooo2o w', goal: { win: true } },
    { text: 'learn.popout.4', game: 'popout', position: '7/7/7/7/1ooo3/oxxxo2 w', goal: { only: ['2p', '3p', '4p'] } },
  ],
};
