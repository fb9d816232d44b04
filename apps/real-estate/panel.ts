import { right } from '../../core/failure.ts'
import { asset, SCRIPT_TYPE, textAsset } from '../http/pages/asset.ts'
import { homeOf } from '../http/pages/home.ts'
import { html } from '../http/pages/html.ts'
import { PAGE_TYPE, pageTemplate, relativeRoot } from '../http/pages/page.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { panelScript } from '../panels/script.ts'
import { panelStyle } from '../panels/style.ts'
import { route } from './api.ts'
import STYLE from './panel.css'

const common = {
  area: 'Painel',
  dialect: 'estate',
  auth: 'public',
  // The only failure, if a rate limit is configured.
  errors: { 'rate.limited': {} },
} as const

const scriptRow: AnyRow = route({
  ...common,
  name: 'panel.script',
  summary: 'O programa do painel, com os gráficos',
  paths: ['/panel/panel.js'],
  run: () => async () => right(await panelScript('agency')),
  reply: asset(SCRIPT_TYPE),
  example: { reply: 'bytes' },
})

const places = [
  { path: '/docs', about: 'a documentação, em que se experimenta cada rota' },
  { path: '/panel', about: 'o painel da imobiliária' },
]

const homeRow: AnyRow = route({
  ...common,
  name: 'home.show',
  summary: 'Diz onde estão a documentação e o painel',
  paths: ['/'],
  ...homeOf({
    title: 'Portico: imobiliária',
    links: places,
    plain: places.map((place) => `${place.path}: ${place.about}\n`).join(''),
  }),
  example: { reply: `${places[0]?.path}` },
})

/**
 * The panel, its script, and the home page that links to it. Without a sign-in the panel shows which settings are
 * missing.
 */
export const panelRows = (signIn: SignIn | null): readonly AnyRow[] => {
  const { headers, page } = panelPage(signIn)
  const pageRow = route({
    ...common,
    name: 'panel.page',
    summary: 'O painel da imobiliária, para quem prefere olhar a ler',
    paths: ['/panel'],
    run:
      ({ request }) =>
      async () =>
        right(await textAsset(PAGE_TYPE, page((await panelScript('agency')).tag, request.path))),
    reply: asset(PAGE_TYPE, headers),
    example: { reply: null },
  })
  return [homeRow, pageRow, scriptRow]
}

const TITLE = 'Painel da imobiliária'

/** Returns the policy that lets the page connect to this server and to the sign-in calls of the provider. */
const connectPolicy = (signIn: SignIn | null): string => {
  const { password, refresh } = signIn === null ? { password: '', refresh: '' } : signInAddresses(signIn)
  const operations = ['signInWithPassword', 'signUp', 'sendOobCode', 'resetPassword', 'update']
  const urls = [...operations.map((name) => password.replace('signInWithPassword', name)), refresh]
  return ["connect-src 'self'", ...urls.filter((url) => /^https?:/.test(url))].join(' ')
}

const UNCONFIGURED = html`<section class="card narrow">
<h1>${TITLE}</h1>
<p>O painel ainda não sabe onde você entra: falta dizer ao servidor qual é o provedor de identidade.</p>
<p class="hint">Quem cuida do servidor configura <code>IDENTITY_SIGN_IN_URL</code> e <code>IDENTITY_API_KEY</code>.</p>
</section>`

const WITHOUT_SCRIPT = html`<noscript><section class="card narrow"><h1>${TITLE}</h1>
<p>Este painel precisa de JavaScript.</p></section></noscript>`

/** Shown until the script has loaded. */
const WAIT = html`<p class="narrow hint" role="status">Abrindo o painel…</p>`

/** Returns the page of the panel before the sign-in; its script fills it. */
const panelPage = (signIn: SignIn | null) => {
  const template = pageTemplate({
    // One column on a phone, twelve on a desktop.
    style: panelStyle(STYLE),
    allows: ["script-src 'self'", 'img-src data:', connectPolicy(signIn)],
  })
  const page = (scriptTag: string, path: string): Uint8Array => {
    if (signIn === null) return template.page({ title: TITLE, body: UNCONFIGURED })
    const root = relativeRoot(path)
    const { password, refresh } = signInAddresses(signIn, root)
    return template.page({
      title: TITLE,
      body: html`${WITHOUT_SCRIPT}
<div id="panel" data-root="${root}" data-password="${password}" data-refresh="${refresh}" data-key="${signIn.apiKey}">${WAIT}</div>
<script src="${root}panel/panel.js?v=${scriptTag}"></script>`,
    })
  }
  return { headers: template.headers, page }
}

/** The identity provider at which the panel signs in, by the calls of the Firebase Auth REST API. */
export interface SignIn {
  /** The base of these calls: `https://identitytoolkit.googleapis.com/v1`. A relative address is one of this server. */
  readonly url: string
  /** The web key, which is not secret. */
  readonly apiKey: string
}

const ACCOUNTS = 'identitytoolkit.googleapis.com'
const TOKENS = 'securetoken.googleapis.com'

/** The sign-in of the development issuer, which runs on this server and accepts any key. */
export const DEV_SIGN_IN: SignIn = { url: `${ACCOUNTS}/v1`, apiKey: 'development' }

/** The addresses that return an ID token: for a password, and for a refresh token. */
interface SignInAddresses {
  readonly password: string
  readonly refresh: string
}

/**
 * Returns the addresses of a sign-in. Firebase serves tokens from another host; other providers serve both below `url`.
 * `root` is the path from the page to the root of this server.
 */
const signInAddresses = ({ url }: SignIn, root = ''): SignInAddresses => {
  const base = /\/v\d+$/.test(url) ? url : `${url}/v1`
  const from = /^https?:\/\//.test(base) ? '' : root
  return {
    password: `${from}${base}/accounts:signInWithPassword`,
    refresh: `${from}${base.replace(ACCOUNTS, TOKENS)}/token`,
  }
}
