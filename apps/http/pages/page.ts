import { createHash } from 'node:crypto'
import { Eta } from 'eta'
import { PAGE_STYLE } from './page-style.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

const styleHash = createHash('sha256').update(PAGE_STYLE).digest('base64')

/** A page of ours runs no script, loads nothing, posts only to us, and is in no list of pages. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Robots-Tag': 'noindex, nofollow',
}

const LAYOUT = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title><%= it.title %></title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<div class="card">
<h1><%= it.heading %></h1>
<%~ it.body %>
</div>
</main>
</body>
</html>
`

// `<%=` escapes; only what was made of a template goes in without.
const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
const layout = eta.compile(LAYOUT)

interface Frame {
  readonly heading: string
  /** What the browser calls it, where that says more: that something is wrong. */
  readonly title?: string
}

/** Makes pages of one template, which is compiled once. Every text of its facts is escaped. */
export const pageOf = <F extends object>(template: string): ((frame: Frame, facts: F) => string) => {
  const inner = eta.compile(template)
  return ({ heading, title = heading }, facts) => eta.render(layout, { heading, title, body: eta.render(inner, facts) })
}
