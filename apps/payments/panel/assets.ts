import { panelStyle } from '../../panels/style.ts'

/** The style of the panel, beside that of every page: cards on a phone, tables and columns on a desktop. */
export const PANEL_STYLE = panelStyle(`
:root { --first: #3f8f7c }
@media (prefers-color-scheme: dark) { :root { --first: #5fae9b } }
main { max-width: 76rem; padding: 1rem }
h1 { overflow-wrap: anywhere }
h3 { margin: 1.25rem 0 .5rem; font-size: 1rem }
.narrow.wide { max-width: 36rem }
.pair { display: grid; gap: 0 1rem }
.facts + .done, .hint + .done { margin-top: 1rem }
button.quiet.wide { width: 100%; text-align: left }
a.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border-radius: .5rem;
  background: var(--deed); font-weight: 600;
  color: var(--on-deed); text-decoration: none }
.plain { margin: 0; padding: 0; list-style: none }
.plain li + li { margin-top: .5rem }
.lost:not(:empty) { position: fixed; inset: auto 1rem 1rem; z-index: 1; width: fit-content; margin: 0 auto;
  padding: .75rem 1rem; border-radius: .5rem; background: var(--waits-page); color: var(--waits); font-weight: 600;
  pointer-events: none }
.lost:empty { margin: 0 }
/* What follows a part that loads appears with it, in its place. */
:is([aria-busy], :has([aria-busy])) ~ :not(dialog) { display: none !important }
#panel > [aria-busy] > .ghost { background: var(--card) }

.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem 1rem;
  margin: 0 0 1.25rem }
.top nav, .filters { display: flex; flex-wrap: wrap; gap: .25rem }
.top nav a, .filters a { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .875rem;
  border-radius: .5rem; color: inherit; font-weight: 600; text-decoration: none }
.top nav a[aria-current], .filters a[aria-current] { background: var(--right-page); color: var(--right) }
.top nav { order: 1; width: 100% }
.top nav:not(.open) { display: none }
.who { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 0; color: var(--quiet) }
.head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: start; gap: .5rem 1rem;
  margin: 0 0 1rem }
.head h1 { margin: 0 }
.filters { margin: 0 0 .5rem }
.filters a { font-weight: 400 }
.tools { display: grid; gap: 0 1rem; margin: 0 0 1rem; grid-template-columns: repeat(2, minmax(0, 1fr)) }
.tools > .field:first-child:not(.pair > *) { grid-column: 1 / -1 }
.tools label { margin-top: .5rem }
.active-filters { display: flex; flex-wrap: wrap; gap: .5rem; margin: 0 0 1rem; padding: 0; list-style: none }
.active-filters a { display: inline-flex; align-items: center; gap: .375rem; min-height: 2.25rem; padding: 0 .875rem;
  border-radius: 1.25rem; background: var(--right-page); color: var(--right); font-weight: 600; text-decoration: none;
  overflow-wrap: anywhere }
.more { margin: 1.25rem 0 0 }
.tools + .more { margin: 0 0 1rem }
.more summary { min-height: 2.75rem; padding: .625rem 0; color: var(--deed); font-weight: 600; cursor: pointer }
.more .quiet { margin-top: 1rem }
.ranges { display: grid; gap: 0 1.5rem }
.ranges .pair { grid-template-columns: repeat(2, minmax(0, 1fr)) }
.more[open] + :is(.active-filters, .sums) { margin-top: 1rem }
.sums { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; min-height: 3.25rem; color: var(--quiet) }
.number { display: inline-block; min-width: 1.75rem; margin-left: .25rem }
.sums strong { color: var(--ink); font-variant-numeric: tabular-nums }
.known, .quote, .notice { margin: 1rem 0 0; padding: .875rem 1rem; border-radius: .5rem; background: var(--soft) }
.known p, .notice { overflow-wrap: anywhere }
.known p:first-child { margin: 0 }
.known .choices { align-items: center; margin-top: .5rem }
.blocking, .notice { background: var(--waits-page); color: var(--waits) }
.quote label { margin-top: 0 }
.quote .total { margin: .75rem 0 0 }
.quote .total small { display: inline }
.beside { margin: .5rem 0 0 }
.own-lines { white-space: pre-line; overflow-wrap: anywhere }
.none { margin: 1rem 0 }

.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) }
.part { padding: 1.125rem }
.tiles { display: grid; gap: 1rem; margin: 0 0 1rem; grid-template-columns: repeat(2, minmax(0, 1fr)) }
.tiles.three .tile:first-child { grid-column: 1 / -1 }
.tile { padding: .875rem 1rem; min-height: 6.5rem; container-type: inline-size }
/* A long amount is smaller, in a line of the same height. */
.tile strong { font-size: min(1.375rem, 100cqi / (var(--letters) * .62)); line-height: 1.75rem }
.tile strong a { color: inherit }
.total { margin: 0 0 .75rem; font-size: 1.375rem; font-weight: 700; font-variant-numeric: tabular-nums }
svg { display: block; width: 100%; height: auto; fill: var(--first) }
.axis { display: flex; justify-content: space-between; margin: .25rem 0 0; color: var(--quiet); font-size: .875rem }
.lines li { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .75rem; padding: .625rem 0;
  border-top: 1px solid var(--hair) }
.lines li > :first-child { flex: 1; min-width: 8rem; overflow-wrap: anywhere }
h2, h3, .who, .hint, .chip { overflow-wrap: anywhere }
.balance { min-width: 7.5rem; margin-left: auto; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.in { color: var(--right) }
.lines li > strong { margin-left: auto }
.lines strong, .amount { font-variant-numeric: tabular-nums; white-space: nowrap }
small { display: block; color: var(--quiet); font-size: .875rem; font-weight: 400 }

table { width: 100%; border-collapse: collapse }
thead { display: none }
tbody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem .75rem; padding: .75rem 0;
  border-top: 1px solid var(--hair) }
tbody tr:first-child { border-top: 0 }
td { padding: 0; overflow-wrap: anywhere }
td:first-child { grid-row: 1 }
:is(td:first-child, .lines li > span) :is(a, small, .brief) { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
td[data-label] { white-space: nowrap }
td.amount { grid-row: 1; grid-column: 2; font-weight: 600; text-align: right }
td[data-label=Meio] { display: none }
td[data-label="Situação"] { justify-self: end }
td[data-label="Vencimento"] { color: var(--quiet) }
.chip.paid, .chip.paidwithpix, .chip.sent { background: var(--right-page); color: var(--right) }
.chip.pending, .chip.waiting { background: var(--waits-page); color: var(--waits) }
.chip.late, .chip.failed, .chip.limited { background: var(--wrong-page); color: var(--wrong) }

.facts { display: grid; gap: .75rem; margin: 0 }
.facts dt { color: var(--quiet); font-size: .875rem }
.facts dd { margin: 0; overflow-wrap: anywhere }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem }
.copyable { padding: .75rem; border-radius: .5rem; background: var(--soft); font: .875rem/1.5 ui-monospace, monospace;
  overflow-wrap: anywhere; user-select: all }
.code { display: grid; place-items: center; width: 13.5rem; height: 13.5rem; margin: 0 0 .75rem; border-radius: .5rem;
  background: #fff }
button.quiet.passkey { width: 100%; margin-top: .75rem }
a.quiet { display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--line);
  border-radius: .5rem; color: inherit; font-weight: 600; text-decoration: none }
.codes { display: grid; gap: .5rem; grid-template-columns: repeat(auto-fill, minmax(11.5rem, 1fr)); margin: 0; padding: .75rem;
  border-radius: .5rem; background: var(--soft); font: 1rem/1.5 ui-monospace, monospace; list-style: none; user-select: all }
.mail { width: 100%; height: 26rem; border: 1px solid var(--line); border-radius: .5rem; background: #eef1f3 }
pre { max-height: 14rem; margin: 0; padding: .75rem; border-radius: .5rem; background: var(--soft); overflow: auto;
  font: .8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
button.link { width: auto; min-height: 0; margin: 0; padding: 0; background: none; color: var(--deed); font-weight: 400;
  text-decoration: underline }
.below { margin-top: 1rem }
.parts { gap: .75rem 1.25rem; margin: 0 0 1.25rem }
.logo { display: block; max-width: 12rem; height: 6rem; object-fit: contain; margin: 0 0 .75rem; border-radius: .5rem; background: #fff }
.line > .check { flex: 1 }
.lines select { width: auto; margin: 0 }
.lines .choices { margin: 0 }
.brief-amount { width: 8rem; margin: 0 }
.lines + p { margin-top: 1rem }
.choices > .hint { align-self: center; margin: 0 }
.board + :is(.board, .card) { margin-top: 1rem }

@media (max-width: 39.99rem) {
  .lines li:has(> :is(.quiet, select, button.link)) { row-gap: .5rem }
  .lines li:has(> :is(.quiet, select, button.link)) > :first-child { flex-basis: 100% }
}
@media (min-width: 40rem) {
  main { padding: 1.5rem }
  .top .menu { display: none }
  .top nav, .top nav:not(.open) { display: flex; order: 0; width: auto }
  .sums { min-height: 1.5rem }
  .pair { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .tools { grid-template-columns: minmax(0, 1fr) 12rem 15rem }
  .tools > .field:first-child:not(.pair > *) { grid-column: auto }
  .pair.tools { grid-template-columns: 15rem 15rem }
  .ranges { grid-template-columns: repeat(3, minmax(0, 1fr)) }
  .tiles.three { grid-template-columns: repeat(3, minmax(0, 1fr)) }
  .tiles.three .tile:first-child { grid-column: auto }
  .tiles.four { grid-template-columns: repeat(4, minmax(0, 1fr)) }
  .part { padding: 1.25rem 1.5rem 1.5rem }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  thead { display: table-header-group }
  tbody tr { display: table-row }
  th { padding: .5rem .75rem .5rem 0; color: var(--quiet); font-size: .875rem; text-align: left }
  td, td[data-label=Meio] { display: table-cell; padding: .625rem .75rem .625rem 0; border-top: 1px solid var(--hair) }
  .amount { padding-right: 0; text-align: right }
}
@media (min-width: 64rem) {
  main { padding: 1.5rem 2rem 2rem }
  .top nav a { padding: 0 .625rem }
  .board, .columns { grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start }
}
`)
