/**
 * The texts of other languages that sources import as strings: styles, the mail, guides and page scripts. Each bundler
 * of the sources takes these loaders; `texts.d.ts` declares them to the compiler, and `text-imports.mjs` to Node.
 */
export const TEXT_LOADERS = { '.css': 'text', '.eta': 'text', '.md': 'text', '.text.js': 'text' } as const
