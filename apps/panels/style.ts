/** The style that the panels share, beside that of every page: cards on a phone, columns on a desktop. */
const SHARED_STYLE = `
:root { --hair: #d5dde1; --soft: #eef1f3; --right: #0b5c4b; --waits: #7a4b00; --waits-page: #fdf3dc }
@media (prefers-color-scheme: dark) {
  :root { --hair: #3a444a; --soft: #2a3136; --right: #8fe0ca; --waits: #ffd28a; --waits-page: #38290f }
}
[hidden] { display: none !important }
#panel { display: flow-root }
h1:focus { outline: none }
form .alert { margin: 1.25rem 0 0 }
button:disabled, button[aria-disabled=true] { opacity: .6; cursor: default }
h2 { margin: 0 0 .875rem; font-size: 1.0625rem; line-height: 1.3 }
.narrow { max-width: 26rem; margin: 0 auto }
select { width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); color: inherit; font: inherit }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem }
button.quiet { width: auto; min-height: 2.75rem; margin: 0; padding: 0 1rem; border: 1px solid var(--line);
  background: transparent; color: inherit; font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

.tile dt { color: var(--quiet); font-size: .9375rem }
.tile dd { margin: .125rem 0 0 }
.tile.wrong strong { color: var(--wrong) }
.tile.right strong { color: var(--right) }

.ghost { height: 3rem; margin-top: .75rem; border-radius: .5rem; background: var(--soft) }
@media (prefers-reduced-motion: no-preference) {
  .ghost { animation: breathe 1.6s ease-in-out infinite alternate }
  @keyframes breathe { to { opacity: .5 } }
}

@media (min-width: 40rem) { .narrow { margin-top: 3rem } }
`

/** Returns the style of a panel: the shared one, then its own. */
export const panelStyle = (own: string): string => SHARED_STYLE + own
