/** The colours and elements that the panels and the payer's pages share, beside those of every page. */
export const COMMON_STYLE = `
:root { --hair: #d5dde1; --soft: #f5f7f8; --right: #0b5c4b; --waits: #7a4b00; --waits-page: #fdf3dc }
@media (prefers-color-scheme: dark) {
  :root { --hair: #3d474d; --soft: #282e33; --right: #8fe0ca; --waits: #ffd28a; --waits-page: #38290f }
}
a { color: var(--deed) }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
`

/** The fields of forms that the panels and the form of a payment link share. */
export const FIELD_STYLE = `
select { background: var(--card) }
fieldset { min-width: 0; padding: 0; border: 0 }
:is([type=checkbox], [type=radio]) { width: 1.25rem; min-height: 1.25rem; margin: 0; accent-color: var(--deed) }
button:disabled { opacity: .6; cursor: default }
`

/** The style of the components that the panels share: cards on a phone, columns on a desktop. */
const SHARED_STYLE = `
:root { --soft: #eef1f3 }
@media (prefers-color-scheme: dark) { :root { --soft: #2a3136 } }
[hidden] { display: none !important }
#panel { display: flow-root }
h1:focus { outline: none }
form .alert { margin: 1.25rem 0 0 }
button[aria-disabled=true] { opacity: .6; cursor: default }
h2 { margin: 0 0 .875rem; font-size: 1.0625rem; line-height: 1.3 }
.narrow { max-width: 26rem; margin: 0 auto }
textarea { background: var(--card) }
fieldset { margin: 1rem 0 0 }
legend { padding: 0; font-weight: 600 }
.field { min-width: 0 }
.check { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin: 0; padding: .25rem 0;
  font-weight: 400 }
.check > input { flex: none }
form > .check { margin-top: .75rem }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1rem }
button.quiet { width: auto; min-height: 2.75rem; margin: 0; padding: 0 1rem; border: 1px solid var(--line);
  background: transparent; color: inherit; font-weight: 600 }
button.quiet.wrong { color: var(--wrong) }
dialog { width: min(32rem, calc(100vw - 2rem)); padding: 1.5rem; border: 0; border-radius: .75rem;
  background: var(--card); color: inherit }
dialog::backdrop { background: rgb(0 0 0 / .5) }
dialog > .quiet { margin-top: .75rem }
.board { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
.lines { margin: 0; padding: 0; list-style: none }
.lines li:first-child { border-top: 0 }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; margin-top: 1rem; color: var(--quiet) }
.chip { display: inline-block; padding: .0625rem .625rem; border-radius: 1rem; background: var(--soft);
  font-size: .8125rem; font-weight: 600; white-space: nowrap }
.none { color: var(--quiet) }

.tile dt { color: var(--quiet); font-size: .9375rem }
.tile dd { margin: .125rem 0 0 }
.tile strong { display: block; line-height: 1.25; font-variant-numeric: tabular-nums }
.tile span { display: block; color: var(--quiet); font-size: .875rem }
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
export const panelStyle = (own: string): string => COMMON_STYLE + FIELD_STYLE + SHARED_STYLE + own
