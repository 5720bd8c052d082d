// Tells the reader outside the page that it is their turn, if they asked for it and the browser allows it.

import { api } from './api';
import { gameTitle, isYou, occupantName } from './game/phrases';
import { t } from './i18n.svelte';
import { go } from './router.svelte';
import { read, write } from './settings.svelte';

const STORED = 'alinea.notify';
const LOOK_MS = 30_000;

const supported = 'Notification' in globalThis;
let on = $state(supported && Notification.permission === 'granted' && read<boolean>(STORED) === true);

export const canNotify = (): boolean => supported && Notification.permission !== 'denied';
export const notifies = (): boolean => on;

export async function setNotifying(wanted: boolean): Promise<void> {
  on = wanted && supported && (await Notification.requestPermission()) === 'granted';
  write(STORED, on);
}

/** Looks for games that wait for the reader while the page is in the background. */
export function startNotifying(): void {
  const told = new Set<string>();
  setInterval(() => {
    if (!on || document.visibilityState === 'visible') return;
    api.tables({ turn: true }).then(
      ({ tables }) => {
        for (const { table, ply, seats, game } of tables) {
          const turn = `${table} ${ply}`;
          if (told.has(turn)) continue;
          told.add(turn);
          const opponent = occupantName(isYou(seats[0]) ? seats[1] : seats[0], game);
          const notice = new Notification(t('notify.turn', { name: opponent }), {
            body: gameTitle(game),
            tag: table,
            icon: `${import.meta.env.BASE_URL}icon.svg`,
          });
          notice.onclick = () => (focus(), go(`/g/${table}`), notice.close());
        }
      },
      () => {},
    );
  }, LOOK_MS);
}
