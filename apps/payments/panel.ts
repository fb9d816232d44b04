import { right } from '../../core/failure.ts'
import { asset, SCRIPT_TYPE, textAsset } from '../http/pages/asset.ts'
import { html } from '../http/pages/html.ts'
import { PAGE_TYPE, pageTemplate, relativeRoot } from '../http/pages/page.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { panelScript } from '../panels/script.ts'
import { panelStyle } from '../panels/style.ts'
import { route } from './api.ts'
import STYLE from './panel.css'

const shared = {
  area: 'Painel',
  dialect: 'page',
  auth: 'public',
  methods: ['GET'],
  input: {},
  // The only failure, if a rate limit is configured.
  errors: { 'rate.limited': {} },
} as const

const template = pageTemplate({
  // Cards on a phone, tables and columns on a desktop.
  style: panelStyle(STYLE),
  allows: [
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // The preview of a mail is in a frame under this policy. Mails have their styles in attributes.
    "style-src-attr 'unsafe-inline'",
  ],
})

interface PanelOptions {
  /** Shows the actions of the embedded bank. */
  readonly simulates: boolean
  /** Offers passkeys. */
  readonly hasPasskeys: boolean
}

/** The panel of merchants and its script, a client of this API. */
export const panelRows = (options: PanelOptions): readonly AnyRow[] => [
  route({
    ...shared,
    name: 'panel.page',
    summary: 'O painel de quem recebe',
    paths: ['/panel'],
    run:
      ({ request }) =>
      async () =>
        right(await textAsset(PAGE_TYPE, page((await panelScript('merchants')).tag, request.path, options))),
    reply: asset(PAGE_TYPE, template.headers),
    example: { reply: null },
  }),
  route({
    ...shared,
    name: 'panel.script',
    summary: 'O programa do painel',
    paths: ['/panel/panel.js'],
    run: () => async () => right(await panelScript('merchants')),
    reply: asset(SCRIPT_TYPE),
    example: { reply: 'bytes' },
  }),
]

/** Returns the page before the sign-in; its script fills it. */
const page = (scriptTag: string, path: string, { simulates, hasPasskeys }: PanelOptions): Uint8Array => {
  const root = relativeRoot(path)
  return template.page({
    title: 'Portico',
    body: html`<noscript><section class="card narrow"><h1>Painel</h1><p>Este painel precisa de JavaScript.</p></section></noscript>
<div id="panel" data-root="${root}" data-simulates="${`${simulates}`}" data-passkeys="${`${hasPasskeys}`}"></div>
<script src="${root}panel/panel.js?v=${scriptTag}"></script>`,
  })
}
