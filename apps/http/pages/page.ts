import { createHash } from 'node:crypto'
import { right } from '../../../core/failure.ts'
import { anyField } from '../../../core/kernel/input/mod.ts'
import { type Html, html } from './html.ts'
import PAGE from './page.css'

/** The style of all pages, for small and large screens, light and dark; contrasts meet WCAG AA. */
const PAGE_STYLE = `\n${PAGE}`

export const PAGE_TYPE = 'text/html; charset=utf-8'

interface Frame {
  readonly title: string
  readonly body: Html
}

/** A kind of page with its own style, script and policy. */
interface PageTemplate {
  /** The headers that the page must be sent with. */
  readonly headers: Readonly<Record<string, string>>
  /** Builds a page, in UTF-8. */
  readonly page: (frame: Frame) => Uint8Array
}

interface PageOptions {
  /** Added to the style of all pages. */
  readonly style?: string
  /** Placed at the end of the page. */
  readonly script?: string
  /** Further directives of the Content Security Policy; by default the empty icon is allowed. */
  readonly allows?: readonly string[]
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const utf8Of = ({ markup }: Html): Uint8Array => Buffer.from(markup)

/**
 * Creates a page template. The policy allows only its own style and script, and forms to this server. It is not
 * indexed.
 */
export const pageTemplate = ({
  style = '',
  script = '',
  allows = ['img-src data:'],
}: PageOptions = {}): PageTemplate => {
  // Not escaped: both are constants, and the policy allows them by their hashes.
  const styled: Html = { markup: PAGE_STYLE + style }
  const scripted: Html | null = script === '' ? null : { markup: script }
  // Most of a page is constant: it is encoded once.
  const start = html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>`
  const middle = html`</title>
<link rel="icon" href="data:,">
<style>${styled}</style>
</head>
<body>
<main>
`
  const end = html`
</main>
${scripted && html`<script>${scripted}</script>\n`}</body>
</html>
`
  const [before, between, after] = [utf8Of(start), utf8Of(middle), utf8Of(end)]
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
    page: ({ title, body }) => Buffer.concat([before, utf8Of(html`${title}`), between, utf8Of(body), after]),
  }
}

const CARD_TEMPLATE = pageTemplate()

export const PAGE_HEADERS = CARD_TEMPLATE.headers

/** Renders a page of one card with a heading. */
export const cardPage = (heading: string, body: Html, title = heading): Uint8Array =>
  CARD_TEMPLATE.page({ title, body: html`<div class="card">\n<h1>${heading}</h1>\n${body}\n</div>` })

/** A form field that accepts any value: errors are shown on the page instead of a list of fields. */
export const postedText = (about: string) =>
  anyField<string>(
    {
      name: 'posted',
      schema: {},
      is: (value): value is string => typeof value === 'string',
      read: (value) => right(typeof value === 'string' ? value : ''),
    },
    { isOptional: true, about },
  )

/** Returns the relative path from a page to the root of this API, which a server may mount anywhere. */
export const relativeRoot = (path: string): string => '../'.repeat(path.split('/').length - 2)
