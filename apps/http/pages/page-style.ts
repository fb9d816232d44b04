/** Legible on a phone and on a desk, by day and by night; colours have the contrast of WCAG AA. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #eef1f3; --card: #fff; --ink: #1b2327; --quiet: #4a5b64; --line: #74858e;
  --deed: #0b5c4b; --on-deed: #fff; --wrong: #a3151f; --wrong-page: #fdecee; --right-page: #e5f4ef }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --card: #1f2428; --ink: #eceff1; --quiet: #b4c0c6; --line: #8c9ba3;
    --deed: #7fd6bf; --on-deed: #08251e; --wrong: #ff9aa2; --wrong-page: #3a1d20; --right-page: #16332b }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, Arial, Helvetica, sans-serif }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem 1rem }
.card { background: var(--card); border-radius: .75rem; padding: 1.5rem 1.25rem }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 0 1rem }
label { display: block; margin-top: 1.25rem; font-weight: 600 }
.hint { margin: 0; color: var(--quiet); font-size: .9375rem }
.error { margin: .25rem 0 0; color: var(--wrong); font-weight: 600 }
.alert, .done { border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 1rem }
.alert { background: var(--wrong-page); color: var(--wrong) }
.done { background: var(--right-page) }
.alert p, .done p { margin: 0 }
input { width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .5rem; background: transparent; color: inherit; font: inherit }
input[aria-invalid] { border: 2px solid var(--wrong) }
button { width: 100%; min-height: 3rem; margin-top: 1.5rem; border: 0; border-radius: .5rem; background: var(--deed);
  color: var(--on-deed); font: inherit; font-weight: 700; cursor: pointer }
:focus-visible { outline: 3px solid var(--deed); outline-offset: 2px }
@media (min-width: 40rem) { main { padding-top: 4rem } .card { padding: 2rem } }
`
