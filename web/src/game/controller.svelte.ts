// A table as one reader plays or watches it: what is shown of it, what may be done, and what happens then. The parts of the
// page draw it and call it, as the views of lichess do with their controller.

import { tick } from 'svelte';

import { api, isLocal } from '../api';
import { isUnwanted } from '../blocked.svelte';
import { t } from '../i18n.svelte';
import { announce, toast } from '../notices.svelte';
import type { Choice, GameInfo, Side } from '../protocol';
import { analysisPage, fullAddress, go } from '../router.svelte';
import { settings } from '../settings.svelte';
import { shareLink } from '../share';
import { hasOthers, isYourTurn, opponentSide, other, seat, yourSide } from '../sides';
import type { Connection } from '../socket.svelte';
import { sounds } from '../sounds';
import { errorText } from '../user.svelte';
import { Advice } from './advice.svelte';
import type { Pointed } from './boardState.svelte';
import { announceEvent, announceMove } from './announcements';
import { Beside } from './beside.svelte';
import { fallsNow, pieceAt, spot } from './cells';
import { TableChat } from './chat.svelte';
import { TableClocks } from './clocks.svelte';
import { GameEnd } from './ending.svelte';
import { infoOf, withoutOpening } from './games.svelte';
import { Held } from './held.svelte';
import { mayHelp } from './help';
import { choosesKind, chosenKind, isMoving } from './input';
import { Pane } from './pane.svelte';
import { kindName, moveText, sideName } from './phrases';
import { TablePicture } from './picture.svelte';
import { Premoves } from './premoves.svelte';
import type { Reactions } from './reactions.svelte';
import { carryOver, scoreOf } from './series';
import { Table, type TableNotice } from './table.svelte';
import { tableKeys } from './tableKeys';
import { tryOf, type Try } from './tries';
import { ProgramThoughts } from './thoughts.svelte';

export type Dialog = 'more' | 'keys' | 'resign' | 'guard' | 'report';
export type Tab = 'moves' | 'analysis' | 'chat';

const NONE: Choice[] = [];

export class GameController {
  readonly table: Table;
  readonly picture: TablePicture;
  readonly clocks: TableClocks;
  readonly chat: TableChat;
  readonly premoves: Premoves;
  readonly advice: Advice;
  readonly thoughts: ProgramThoughts;
  readonly end: GameEnd;
  /** What the players call to each other, once one of them has. */
  reactions = $state.raw<Reactions>();
  readonly pane = new Pane();
  /** The game that this one was played on from. */
  readonly origin: Try | undefined;

  /** What was said last. */
  status = $state('');
  /** What the board shows because one points at a sentence or a line. */
  pointed = $state.raw<Pointed>();
  flipped = $state(false);
  dialog = $state<Dialog>();
  /** A move that completes a line for the opponent, until you confirm it. */
  guarded = $state.raw<Choice>();
  tab = $state<Tab>('moves');
  /** Whether the panels are up, on phones. */
  sheet = $state(false);
  /** Where moves are typed, once it is there. */
  typing = $state.raw<{ focus: () => void }>();
  #wanted = $state<string>();

  readonly game = $derived.by(() => this.table.now?.settings.game ?? '');
  readonly #gameInfo: Held<GameInfo>;
  readonly #isYourTurn: Held<boolean>;
  readonly #mayAsk: Held<boolean>;
  readonly #isOnline: Held<boolean>;
  readonly #beside: Beside;
  readonly view = $derived.by(() => this.picture.frame?.view);
  /** Whether the position shown is the one in which you are to move. */
  readonly #isOn = $derived.by(() => this.isYourTurn && this.picture.looked === undefined && this.picture.isSeen);
  readonly mayMove = $derived.by(() => this.#isOn && !this.table.pending);
  /** They stay the same while a move is on its way. */
  readonly legal = $derived.by(() => (this.#isOn ? this.table.now!.legal : NONE));
  /** The kind of piece to place. */
  readonly kind = $derived.by(() => chosenKind(this.table.now?.legal ?? NONE, this.#wanted));
  /** Whether the kind of a piece is chosen before its place. */
  readonly hasTray = $derived.by(() => choosesKind(this.picture.frame));
  /** Whether the board shows the moment that decided the game. */
  readonly isAtMoment = $derived.by(
    () => this.end.isTold && this.end.moment !== undefined && this.picture.looked === this.end.moment.before,
  );
  readonly momentMarks = $derived.by(() => {
    const { moment } = this.end;
    if (!this.isAtMoment || !moment) return undefined;
    const { lines, needs, side, right, wrong } = moment;
    const after = wrong ? other(side) : side;
    return { focus: lines.flat(), moment: { lines, needs, after, side, right, wrong } };
  });
  /** Whether there is room above the board, where pieces wait. */
  readonly hasRail = $derived.by(() => this.view !== undefined && fallsNow(this.gameInfo, this.view));
  readonly score = $derived.by(() => this.table.now && scoreOf(this.table.now));
  readonly moveLines = $derived.by(() => {
    const moves = this.gameInfo.phases.length > 1;
    return this.beside.table.moves.map(({ move }, at) => {
      // Where pieces move, only the board after a move knows which it was.
      const after = moves ? this.table.knownFrame(at + 1)?.view : undefined;
      const to = after?.last.at(-1);
      return { text: moveText(this.game, move, after && to ? pieceAt(after, spot(to))?.kind : undefined) };
    });
  });
  /** What the keys do while the board has the focus. */
  readonly onkey = tableKeys(
    () => {
      const { table, view, gameInfo, legal, kind, hasTray, picture, clocks, end } = this;
      const { now } = table;
      const hasMoment = end.isTold && end.moment !== undefined;
      return (
        now &&
        view && { table: now, view, gameInfo, legal, kind, hasTray, hasMoment, ply: picture.aimed, left: clocks.left }
      );
    },
    {
      show: (ply) => void this.show(ply),
      play: (choice) => void this.play(choice),
      say: (sentence) => this.say(sentence),
      pickKind: (kind) => this.pickKind(kind),
      takeBack: () => this.takeBack(),
      hint: () => this.hint(),
      flip: () => (this.flipped = !this.flipped),
      evaluate: () => this.toggleEvaluation(),
      threats: () => void this.advice.sayThreats(),
      react: () => this.react(),
      type: () => this.typing?.focus(),
      moment: () => this.showMoment(),
      help: () => (this.dialog = 'keys'),
    },
  );

  constructor(
    id: string,
    readonly connection: Connection,
  ) {
    const say = (sentence: string): void => this.say(sentence);
    this.origin = tryOf(id);
    this.table = new Table(id, connection, (news) => this.#hear(news));
    const { table } = this;
    this.#gameInfo = new Held(() => infoOf(this.game));
    this.#isYourTurn = new Held(() => table.now !== undefined && isYourTurn(table.now));
    this.#mayAsk = new Held(() => table.now !== undefined && mayHelp(table.now));
    this.#isOnline = new Held(() => table.now !== undefined && hasOthers(table.now));
    this.picture = new TablePicture(table, say);
    const { picture } = this;
    this.clocks = new TableClocks(table);
    this.chat = new TableChat(table, () => this.tab === 'chat' && this.sheet);
    this.advice = new Advice(() => {
      const { now } = table;
      const you = now && yourSide(now);
      const played = now?.moves.slice(0, picture.ply).map(({ move }) => move);
      return {
        course: now && { game: this.game, position: now.settings.position, moves: played!.join(' ') },
        gameInfo: this.gameInfo,
        view: this.view,
        legal: picture.frame?.legal ?? NONE,
        allowed: this.mayAsk,
        toMove: this.isYourTurn && picture.isLive,
        you,
      };
    }, say);
    this.thoughts = new ProgramThoughts(table, picture, this.advice, connection);
    this.end = new GameEnd(
      () => ({
        table: table.now,
        rests: picture.pictured === table.now?.moves.length && picture.rhythm.resting,
      }),
      say,
    );
    this.premoves = new Premoves(
      () => ({
        gameInfo: this.gameInfo,
        legal: this.legal,
        side:
          table.now?.status === 'playing' && picture.looked === undefined && !table.pending && !this.mayMove
            ? yourSide(table.now)
            : undefined,
        isReady: this.mayMove && picture.isLive && picture.rhythm.resting,
      }),
      { play: (choice) => void this.play(choice), say },
    );

    this.#beside = new Beside(() => {
      const { view, legal } = this;
      const { ply, aimed } = picture;
      return table.now && view && { table: table.now, view, ply, aimed, legal, thought: this.thoughts.last };
    });
    // Where pieces move, the list of moves names them, and only the boards on the way know which they are. After an opening
    // they alone know who moved.
    $effect(() => {
      const isNeeded = this.gameInfo.phases.length > 1 || withoutOpening(this.game) !== this.game;
      if (table.now?.moves.length && isNeeded && !table.knownFrame(0)) void table.frame(0).catch(() => {});
    });
    $effect(() => {
      const { now } = table;
      if (this.end.isTold && now) void import('./climb').then(({ countGame }) => countGame(now));
    });
    // The score goes along to the rematch.
    $effect(() => {
      const { now } = table;
      if (now?.you.length && now.rematch && now.result) carryOver(now);
    });
  }

  /** Follows the table until the returned function is called. */
  start(): () => void {
    this.table.start();
    return () => {
      this.table.stop();
      this.picture.stop();
      this.end.stop();
      this.reactions?.stop();
    };
  }

  get gameInfo(): GameInfo {
    return this.#gameInfo.value;
  }

  get isYourTurn(): boolean {
    return this.#isYourTurn.value;
  }

  /** Whether verdicts and hints may be asked for. */
  get mayAsk(): boolean {
    return this.#mayAsk.value;
  }

  /** Whether another person plays. */
  get isOnline(): boolean {
    return this.#isOnline.value;
  }

  /** The table as what stands beside the board shows it. */
  get beside(): Beside['now'] {
    return this.#beside.now;
  }

  get arePrograms(): boolean {
    return this.table.now!.seats.every(({ kind }) => kind === 'program');
  }

  /** The person on the other side. */
  get rival(): { id: string; name: string; side: Side } | undefined {
    const { now } = this.table;
    const side = opponentSide(now!);
    const occupant = side && now!.seats[seat(side)];
    return occupant?.kind === 'person' ? { id: occupant.id, name: occupant.name, side: side! } : undefined;
  }

  /** The page that analyses this game. */
  get study(): string {
    const { moves, settings, result, you } = this.table.now!;
    return analysisPage(settings.game, moves.map(({ move }) => move).join(' '), {
      position: settings.position,
      // Whose mistakes become exercises.
      you: result && yourSide({ you }),
    });
  }

  say(sentence: string): void {
    this.status = sentence;
    announce(sentence);
  }

  /** Says why something cannot be done. */
  refuse(sentence: string): void {
    void sounds(({ sound }) => sound('refusal'));
    this.say(sentence);
  }

  command(name: string, fields?: Record<string, unknown>): void {
    void this.table.command(name, fields);
  }

  /** Shows the position after some moves. */
  async show(ply: number): Promise<void> {
    try {
      await this.picture.show(ply);
    } catch (error) {
      toast(errorText(error), true);
      return;
    }
    this.#forgetHints();
  }

  async play(choice: Choice): Promise<void> {
    const { now, pending } = this.table;
    if (!now) return;
    if (pending) return this.refuse(t('refuse.not-now'));
    const isGuarded = this.gameInfo.mover_may_lose && settings.guard && !now.settings.rated && !now.clocks;
    if (isGuarded && this.guarded?.move !== choice.move && (await this.#givesAway(choice))) {
      this.guarded = choice;
      this.dialog = 'guard';
      return;
    }
    this.guarded = undefined;
    this.advice.hints = 0;
    this.premoves.chosen = undefined;
    await this.table.move(choice.move);
  }

  /** Whether a move completes a line for the other side: the server knows. */
  async #givesAway(choice: Choice): Promise<boolean> {
    const { moves, settings, view } = this.table.now!;
    const line = [...moves.map(({ move }) => move), choice.move].join(' ');
    try {
      const plies = await api.positions({ game: settings.game, position: settings.position, moves: line });
      return plies.at(-1)?.view.outcome === other(view.turn);
    } catch {
      return false;
    }
  }

  readonly pickKind = (kind: string): void => {
    this.#wanted = kind;
    this.say(t('say.kind', { kind: kindName(kind) }));
  };

  takeBack(): void {
    if (this.table.now?.settings.take_back) {
      this.#noteHelp();
      this.command('take-back');
    } else this.say(t('refuse.no-take-back'));
  }

  /** A game that was won with help counts for no level. */
  #noteHelp(): void {
    void import('./climb').then(({ noteHelp }) => noteHelp(this.table.id));
  }

  hint(): void {
    if (this.table.pending) return;
    if (this.mayMove && this.mayAsk) this.#noteHelp();
    void this.advice.hint();
  }

  readonly toggleEvaluation = (): void => {
    if (!this.mayAsk) return this.say(t('refuse.no-help'));
    const evaluating = this.advice.toggle();
    if (evaluating) this.tab = 'analysis';
    announce(t(evaluating ? 'say.eval-on' : 'say.eval-off'));
  };

  /** Whether two people play each other: they can react, and talk. */
  get mayReact(): boolean {
    const { now } = this.table;
    return now?.status === 'playing' && yourSide(now) !== undefined && this.rival !== undefined;
  }

  readonly react = (): void => {
    if (this.mayReact) void this.withReactions((reactions) => (reactions.isOpen = !reactions.isOpen));
  };

  /** They come when they are needed. */
  async withReactions(use: (reactions: Reactions) => void): Promise<void> {
    const { Reactions } = await import('./reactions.svelte');
    use((this.reactions ??= new Reactions(this.chat.send, (sentence) => this.say(sentence))));
  }

  closePanel(): void {
    this.sheet = false;
    // The focus returns to what opened it.
    if (this.tab === 'chat')
      void tick().then(() => document.getElementById('open-chat')?.focus({ preventScroll: true }));
  }

  openPanel(tab: Tab): void {
    this.tab = tab;
    this.sheet = true;
    if (tab === 'chat') this.chat.markRead();
    // On wide screens the chat is there already.
    void tick().then(() => document.getElementById('chat-text')?.focus({ preventScroll: true }));
  }

  /** A game of this browser is shared with its moves. */
  readonly share = (): void => {
    const { id } = this.table;
    void shareLink(fullAddress(isLocal(id) ? this.study : `/g/${id}`));
  };

  /** Begins the same game against another level. */
  readonly playLevel = (name: string): Promise<void> =>
    this.#begin(({ startNext }) => startNext(this.table.now!, name));

  /** Plays on from the moment that decided this game. */
  readonly tryAgain = (): Promise<void> =>
    this.#begin(({ startAgain }) => startAgain(this.table.now!, this.end.moment!));

  async #begin(how: (module: typeof import('./start')) => Promise<void>): Promise<void> {
    try {
      await how(await import('./start'));
    } catch (error) {
      toast(errorText(error), true);
    }
  }

  /** Goes to the moment that decided this game, from there to its end. */
  readonly showMoment = (wanted = !this.isAtMoment): void => {
    const { moment } = this.end;
    if (!moment) return;
    void this.show(wanted ? moment.before : Infinity).then(async () => {
      if (!this.isAtMoment) return;
      const { momentSpoken } = await import('./lookback');
      this.say(momentSpoken(this.game, moment, this.table.now!.view.line ?? []));
    });
  };

  /** Shows on the board what a sentence or a line of play speaks of. */
  readonly point = (pointed: Pointed | undefined): void => {
    this.pointed = pointed;
  };

  #forgetHints(): void {
    this.advice.hints = 0;
    this.pointed = undefined;
  }

  #hear(news: TableNotice): void {
    if (news.kind === 'refused') {
      const sentence = errorText(news.refusal);
      this.refuse(sentence);
      toast(sentence, true);
      return;
    }
    const { happened } = news;
    const { table, picture } = this;
    const now = table.now!;
    if (!('event' in happened)) {
      this.#forgetHints();
      picture.quick = false;
      this.status = '';
      const before = table.knownFrame(now.moves.length - 1);
      const begins = before && isMoving(now.legal) && !isMoving(before.legal);
      const sentence = [
        announceMove(happened, now).text,
        begins && t('say.phase-move', { name: sideName(this.gameInfo, now.view.turn) }),
      ]
        .filter(Boolean)
        .join(' ');
      if (sentence) picture.sayWhenShown(now.moves.length, sentence);
      return;
    }
    const { event } = happened;
    if (event.kind === 'chat') {
      if (isUnwanted(event, now.seats)) return;
      const { side, text } = event;
      if (side && text.startsWith(':')) void this.withReactions((reactions) => reactions.show(side, text));
    }
    if (event.kind === 'ended' || event.kind === 'taken-back') {
      this.advice.hints = 0;
      picture.looked = undefined;
      this.premoves.chosen = undefined;
    }
    if (event.kind === 'ended') return;
    const { text, sound } = announceEvent(event, now);
    if (sound) void sounds((all) => all.sound(sound));
    // What is said is read aloud, but does not push aside what the board says.
    if (text && event.kind === 'chat') announce(text);
    else if (text) this.say(text);
    if (event.kind === 'rematch' && now.you.length) {
      // Before the next game asks for it.
      carryOver(now);
      go(`/g/${event.table}`);
    }
  }
}
