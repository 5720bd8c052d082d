// The golden messages of crates/protocol, which the tests of Rust read too. An imported JSON file has wide types, such as
// `kind: string`, so the types are claimed here; golden.test.ts lets the compiler check them.

import answersFile from '../../crates/protocol/fixtures/answers.json';
import errorsFile from '../../crates/protocol/fixtures/errors.json';
import eventsFile from '../../crates/protocol/fixtures/events.json';
import gamesFile from '../../crates/protocol/fixtures/games.json';
import occupantsFile from '../../crates/protocol/fixtures/occupants.json';
import reasonsFile from '../../crates/protocol/fixtures/reasons.json';
import responses from '../../crates/protocol/fixtures/responses.json';
import type { Answer, ApiError, Event, GameEntry, GameInfo, Occupant, Reason } from '../src/protocol';

const typed = <T>(messages: object): Record<string, T> => messages as Record<string, T>;

export const answers = typed<Answer>(answersFile);
export const errors = typed<ApiError>(errorsFile);
export const events = typed<Event>(eventsFile);
export const games = typed<GameInfo>(gamesFile);
export const occupants = typed<Occupant>(occupantsFile);
export const reasons = typed<Reason>(reasonsFile);
export const gameEntry = typed<GameEntry>(responses)['GameEntry']!;
