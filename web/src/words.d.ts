// Words of one language, split by `vite.config.ts`.

declare module 'words:*' {
  const words: Partial<Record<keyof typeof import('../i18n/en.json'), string>>;
  export default words;
}
