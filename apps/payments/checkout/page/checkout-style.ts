/** What payers see, over the style of every page: an amount, whom it pays, what has become of it, how to pay. */
export const CHECKOUT_STYLE = `
:root { --waits: #7a4b00; --waits-page: #fdf3dc; --right: #0b5c4b; --soft: #f5f7f8; --hair: #d5dde1 }
@media (prefers-color-scheme: dark) {
  :root { --waits: #ffd28a; --waits-page: #38290f; --right: #8fe0ca; --soft: #282e33; --hair: #3d474d }
}
main { max-width: 30rem }
h1, h2, p, dd, a { overflow-wrap: anywhere }
.payee { display: flex; gap: 1rem; align-items: center; margin: 0 .25rem 1.25rem }
.payee img { width: 3.5rem; height: 3.5rem; flex: none; object-fit: contain; border-radius: .5rem; background: #fff }
.payee h1 { margin: 0; font-size: 1.25rem }
.payee h1 span { display: block; color: var(--quiet); font-size: .9375rem; font-weight: 400 }
.payee p { margin: 0 }
.state { display: inline-block; margin: 0 0 1rem; padding: .25rem .75rem; border-radius: 1rem; font-weight: 700;
  font-size: .9375rem; background: var(--soft) }
.state.waits { background: var(--waits-page); color: var(--waits) }
.state.paid { background: var(--right-page); color: var(--right) }
.state.wrong { background: var(--wrong-page); color: var(--wrong) }
.state:focus { outline: none }
.label { margin: 0; color: var(--quiet); font-size: .9375rem }
.amount { margin: 0 0 .5rem; font-size: 2.25rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.about { margin: 0; white-space: pre-line }
.sum > :last-child { margin-bottom: 0 }
dl { margin: 1.25rem 0 0; border-top: 1px solid var(--hair) }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .5rem 0; border-bottom: 1px solid var(--hair) }
dt { color: var(--quiet); flex: none }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
section { margin-top: 2rem }
.sum:not(:last-child) { margin-bottom: 2rem }
h2 { margin: 0 0 .5rem; font-size: 1.125rem }
.qr { margin: 1.25rem auto 0; text-align: center }
.qr img { width: 15rem; height: 15rem; max-width: 100%; border-radius: .5rem; background: #fff; image-rendering: pixelated }
textarea { width: 100%; margin-top: .375rem; padding: .625rem .75rem; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--soft); color: inherit; font: .875rem/1.4 ui-monospace, Menlo, Consolas, monospace; resize: none;
  word-break: break-all; field-sizing: content }
section label { margin-top: 1rem }
button[data-copy] { display: none; margin-top: .75rem }
.js button[data-copy] { display: block }
.without-script { margin-top: 1.5rem }
.js .without-script { display: none }
#boleto-line { word-break: normal }
.second { display: block; margin-top: .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem;
  text-align: center; font-weight: 700; text-decoration: none }
dl + .second { margin-top: 1.25rem }
a { color: var(--deed) }
.foot { margin: 1.25rem .25rem 0; color: var(--quiet); font-size: .875rem }
.foot p { margin: 0 0 .25rem }
.whom { margin-top: 1.5rem }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (min-width: 40rem) {
  main { padding-top: 2.5rem }
}
@media (min-width: 56rem) {
  main:has(.open) { max-width: 56rem }
  .open { display: grid; grid-template-columns: 5fr 6fr; gap: 3rem }
  .open section:first-child { margin-top: 0 }
}
@media print {
  :root { color-scheme: light; --page: #fff; --card: #fff; --ink: #000; --quiet: #333; --soft: #fff }
  .card { display: block !important; padding: 0 }
  button, .second, .without-script { display: none !important }
}
`
