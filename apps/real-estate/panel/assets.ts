import { panelStyle } from '../../panels/style.ts'

/** The style of the board, beside that of every page: one column on a phone, twelve on a desktop. */
export const PANEL_STYLE = panelStyle(`
:root { --bar: #8fb8ac; --first: #7a93a0; --second: #b58121; --off: #a9b6bc }
@media (prefers-color-scheme: dark) {
  :root { --bar: #3f6f63; --first: #8ba4b1; --second: #d9a441; --off: #5d6a71 }
}
main { max-width: 80rem; padding: 1rem }
.narrow .alert, .narrow .done { margin-top: 1rem }
#team { grid-column: 1 / -1 }
#team label { margin-top: .75rem }
#invitations { margin: 0; padding: 0; list-style: none }
#invitations li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; padding: .75rem 0;
  border-top: 1px solid var(--hair) }
#invitations li > span { flex: 1 1 14rem; min-width: 0; overflow-wrap: anywhere }
#invitations small { display: block; color: var(--quiet); font-size: .875rem }
#invite-result { margin: .75rem 0; color: var(--right) }
#invite-result:empty { display: none }
code { overflow-wrap: anywhere }

.top { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; margin: 0 0 1rem }
.whose { flex: 1 1 100%; min-width: 0; overflow-wrap: anywhere }
.top h1 { margin: 0; font-size: 1.375rem }
.live { display: flex; flex: 1; align-items: center; gap: .5rem; margin: 0; color: var(--quiet); font-size: .9375rem }
.live::before { content: ''; width: .625rem; height: .625rem; border-radius: 50%; background: var(--off) }
.live[data-state=live] { color: var(--right) }
.live[data-state=live]::before { background: var(--right) }
.live[data-state=lost] { color: var(--wrong); font-weight: 600 }
.live[data-state=lost]::before { background: var(--wrong) }

.part { padding: 1.125rem 1.125rem 1.25rem; container-type: inline-size }
.tiles { display: grid; gap: .75rem; grid-template-columns: repeat(2, minmax(0, 1fr)) }
.tile { container-type: inline-size; min-height: 6.625rem; margin: 0; padding: .875rem 1rem }
.tile:not(.money, :last-child) { min-height: 10.125rem }
.tile.money { grid-column: 1 / -1 }
.tile:last-child { grid-column: 1 / -1 }
.tile strong { font-size: min(1.625rem, 100cqi / (var(--letters) * .62)) }
.tile span { margin-top: .125rem; line-height: 1.35 }

.chart { position: relative; height: 15rem }
.stages { display: grid; gap: .875rem; margin: 0; padding: 0; list-style: none }
.stages li { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem }
.stages strong { font-variant-numeric: tabular-nums }
.bar { grid-column: 1 / -1; width: 100%; height: 1.125rem; fill: var(--first) }
.bar .track { fill: var(--soft) }
.bar.second { fill: var(--second) }
.bar.third { fill: var(--deed) }
.bar.off { fill: var(--off) }

.lines li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .125rem .75rem; align-items: start;
  padding: .625rem 0; border-top: 1px solid var(--hair) }
.lines li:first-child { padding-top: 0 }
.lines li:last-child { padding-bottom: 0 }
.what { display: grid; grid-row: 2; grid-column: 1 / -1; min-width: 0; overflow-wrap: anywhere }
@container (min-width: 26rem) {
  .lines li { grid-template-columns: 5.5rem minmax(0, 1fr) auto }
  .what { grid-row: auto; grid-column: auto }
}
.lead { color: var(--quiet); font-size: .9375rem; font-variant-numeric: tabular-nums }
.what span { color: var(--quiet); font-size: .875rem; line-height: 1.4 }
.value { white-space: nowrap; font-variant-numeric: tabular-nums }
.chip.confirmed, .chip.new { background: var(--right-page); color: var(--right) }
.chip.scheduled { background: var(--waits-page); color: var(--waits) }
.more { margin: .75rem 0 0; color: var(--quiet); font-size: .9375rem }
.none { margin: 0 }

.ghost.tile { height: auto; margin: 0; background: var(--card) }
[data-part=funnel] > :last-child { min-height: 14.125rem }
[data-part=revenue] > :last-child { min-height: 15rem }

@media (min-width: 40rem) {
  main { padding: 1.5rem }
  .whose { flex: 1 1 0 }
  .live { flex: none }
  .top h1 { font-size: 1.625rem }
  .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)) }
  .tile.money, .tile:last-child { grid-column: auto }
  .tile:not(.money, :last-child) { min-height: 7.8125rem }
  .board { grid-template-columns: repeat(2, minmax(0, 1fr)) }
  .figures, [data-part=revenue], .board[data-lists="4"] [data-part=news] { grid-column: 1 / -1 }
  .part { padding: 1.25rem 1.5rem 1.5rem }
  #team form { display: grid; grid-template-columns: minmax(0, 1fr) 12rem auto; gap: 1rem; align-items: end }
  #team form button { grid-row: 1; grid-column: 3; margin: 0; padding: 0 1.25rem }
  #team form .alert { grid-column: 1 / -1; margin: 0 }
}
@media (min-width: 64rem) {
  main { padding: 2rem }
  .board { grid-template-columns: repeat(12, minmax(0, 1fr)); gap: 1.25rem }
  .tiles { gap: 1.25rem }
  .part, .board[data-lists="4"] [data-part=news] { grid-column: span 6 }
  .board[data-money=true][data-lists="3"] [data-part=news] { grid-column: 1 / -1 }
  .board[data-money=true] [data-part=revenue] { grid-column: span 7 }
  .board[data-money=true] [data-part=funnel] { grid-column: span 5 }
  .chart, [data-part=revenue] > :last-child { height: 17rem }
}
`)
