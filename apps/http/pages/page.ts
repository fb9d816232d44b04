import { createHash } from 'node:crypto'
import { type Html, html } from './html.ts'
import { PAGE_STYLE } from './page-style.ts'

export const PAGE_TYPE = 'text/html; charset=utf-8'

interface Frame {
  /** What the browser calls it. */
  readonly title: string
  readonly body: Html
}

/** Pages of one look. */
export interface PageKind {
  /** What they are sent with. */
  readonly headers: Readonly<Record<string, string>>
  readonly page: (frame: Frame) => string
}

interface Look {
  /** Besides what all pages of ours have. */
  readonly style?: string
  /** Runs at the end of the page. */
  readonly script?: string
  /** What they may load, as directives of the policy: by default an icon that is none. */
  readonly allows?: readonly string[]
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Such a page runs and looks like what is said here, posts only to us, and is in no list of pages. */
export const pageKind = ({ style = '', script = '', allows = ['img-src data:'] }: Look = {}): PageKind => {
  // Neither is anybody's text: both are ours, and known to the policy by their hashes.
  const styled: Html = { markup: PAGE_STYLE + style }
  const scripted: Html | null = script === '' ? null : { markup: script }
  return {
    headers: {
      'Content-Security-Policy': [
        "default-src 'none'",
        `style-src ${hashOf(styled.markup)}`,
        ...(scripted ? [`script-src ${hashOf(scripted.markup)}`] : []),
        ...allows,
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'X-Robots-Tag': 'noindex, nofollow',
    },
    page: ({ title, body }) =>
      html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${styled}</style>
</head>
<body>
<main>
${body}
</main>
${scripted && html`<script>${scripted}</script>\n`}</body>
</html>
`.markup,
  }
}

const PLAIN = pageKind()

export const PAGE_HEADERS = PLAIN.headers

/** A page of one card: its heading, and what is to be read or filled in. */
export const cardPage = (heading: string, body: Html, title = heading): string =>
  PLAIN.page({ title, body: html`<div class="card">\n<h1>${heading}</h1>\n${body}\n</div>` })
