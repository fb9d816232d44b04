import { right } from '../../../core/failure.ts'
import { asset, textAsset } from '../../http/pages/asset.ts'
import { homeOf } from '../../http/pages/home.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { PAGE_TYPE, pageTemplate, relativeRoot } from '../../http/pages/page.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { panelScript, SCRIPT_TYPE } from '../../panels/script.ts'
import { route } from '../api.ts'
import { PANEL_STYLE } from './assets.ts'

const about = {
  area: 'Painel',
  dialect: 'estate',
  auth: 'public',
  // The only failure, if a rate limit is configured.
  errors: { 'rate.limited': {} },
} as const

const scriptRow: AnyRow = route({
  ...about,
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
  ...about,
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

/** The panel, its script, and the home page that links to it. Without a sign-in the panel shows which settings are missing. */
export const panelRows = (signIn: SignIn | null): readonly AnyRow[] => {
  const { headers, page } = panelPage(signIn)
  const pageRow = route({
    ...about,
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

const ENTER = html`<section class="card narrow" data-view="enter" hidden>
<h1>${TITLE}</h1>
<p class="hint">Entre com a conta que você usa na imobiliária.</p>
<div class="alert" role="alert" id="wrong" hidden></div>
<div class="done" role="status" id="notice" hidden></div>
<form id="sign-in" method="post">
<div id="naming" hidden>
<label for="name">Seu nome</label>
<input id="name" autocomplete="name" maxlength="255">
</div>
<label for="email">E-mail</label>
<input id="email" type="email" autocomplete="username" required>
<label for="password">Senha</label>
<input id="password" type="password" autocomplete="current-password" required>
<button>Entrar</button>
</form>
<div class="choices">
<button type="button" class="quiet" id="switch">Criar uma conta</button>
<button type="button" class="quiet" id="forgot">Esqueci a senha</button>
</div>
</section>`

const FOUND = html`<section class="card narrow" data-view="found" hidden>
<h1 id="found-title" tabindex="-1">Conta sem cadastro</h1>
<p>A senha está certa, mas esta conta não faz parte de nenhuma imobiliária. Para entrar na equipe de uma, peça um convite à administração dela. Para abrir a sua, preencha:</p>
<div class="alert" role="alert" id="found-wrong" hidden></div>
<form id="found" method="post">
<label for="founder">Como você se chama</label>
<input id="founder" autocomplete="name" maxlength="255" required>
<label for="firm">Nome da imobiliária</label>
<input id="firm" autocomplete="organization" maxlength="255" required>
<label for="cnpj">CNPJ</label>
<p class="hint" id="cnpj-hint">Se já tiver um.</p>
<input id="cnpj" autocomplete="off" maxlength="20" aria-describedby="cnpj-hint">
<button>Fundar imobiliária</button>
</form>
<div class="choices"><button type="button" class="quiet" data-leave>Entrar com outra conta</button></div>
</section>`

const RESET = html`<section class="card narrow" data-view="reset" hidden>
<h1 id="reset-title" tabindex="-1">Crie uma nova senha</h1>
<div class="alert" role="alert" id="reset-wrong" hidden></div>
<form id="reset" method="post">
<label for="next">Nova senha, com pelo menos 6 caracteres</label>
<input id="next" type="password" autocomplete="new-password" minlength="6" required>
<button>Salvar</button>
</form>
</section>`

const TEAM = html`<section class="card part" id="team" hidden>
<h2>Equipe</h2>
<form id="invite" method="post">
<div><label for="guest">Convidar por e-mail</label>
<input id="guest" type="email" autocomplete="off" required></div>
<div><label for="role">Papel</label>
<select id="role"><option value="Broker">Corretor</option><option value="Financial">Financeiro</option><option value="Admin">Administração</option><option value="Owner">Proprietário</option><option value="Tenant">Inquilino</option><option value="Syndic">Síndico</option></select></div>
<button>Enviar convite</button>
</form>
<p id="invite-result" role="status"></p>
<div class="alert" role="alert" id="invite-wrong" hidden></div>
<ul id="invitations"></ul>
</section>`

const REFUSED = html`<section class="card narrow" data-view="refused" hidden>
<h1 id="refused-title" tabindex="-1"></h1>
<p id="refused-why"></p>
<button type="button" data-leave>Entrar com outra conta</button>
</section>`

const WAIT = html`<p class="narrow hint" data-view="wait" role="status">Abrindo o painel…</p>`

/** Returns a part of the board, empty until the script fills it. */
const part = (
  name: string,
  title: string,
): Html => html`<section class="card part" data-part="${name}" aria-busy="true">
<h2>${title}</h2>
<div class="content"><p class="unseen">Carregando…</p><div class="ghost"></div><div class="ghost short"></div></div>
</section>`

const BOARD = html`<div data-view="board" hidden>
<header class="top">
<div class="whose"><h1 id="company" tabindex="-1"></h1><p class="hint" id="who"></p></div>
<p class="live" id="live" data-state="waits">Conectando…</p>
<button type="button" class="quiet" data-leave>Sair</button>
</header>
<p id="announcement" class="unseen" role="status"></p>
<div class="board">
<section class="figures" data-part="figures" aria-label="Números de agora" aria-busy="true">
<div class="content tiles"><p class="unseen">Carregando…</p>${[1, 2, 3, 4, 5, 6].map(() => html`<div class="card ghost tile"></div>`)}</div>
</section>
${part('revenue', 'Receita por mês')}
${part('funnel', 'Propostas')}
${part('visits', 'Visitas de hoje')}
${part('overdue', 'Pagamentos em atraso')}
${part('contracts', 'Contratos que terminam em 30 dias')}
${part('news', 'Novidades')}
${TEAM}
</div>
</div>`

/** Returns the page of the panel before the sign-in; its script fills it. */
const panelPage = (signIn: SignIn | null) => {
  const template = pageTemplate({
    style: PANEL_STYLE,
    allows: ["script-src 'self'", 'img-src data:', connectPolicy(signIn)],
  })
  const page = (scriptTag: string, path: string): string => {
    if (signIn === null) return template.page({ title: TITLE, body: UNCONFIGURED })
    const root = relativeRoot(path)
    const { password, refresh } = signInAddresses(signIn, root)
    return template.page({
      title: TITLE,
      body: html`${WITHOUT_SCRIPT}
<div id="panel" data-root="${root}" data-password="${password}" data-refresh="${refresh}" data-key="${signIn.apiKey}" hidden>
${WAIT}
${ENTER}
${REFUSED}
${FOUND}
${RESET}
${BOARD}
</div>
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
 * Returns the addresses of a sign-in. Firebase serves tokens from another host; other providers serve both below `url`. `root`
 * is the path from the page to the root of this server.
 */
const signInAddresses = ({ url }: SignIn, root = ''): SignInAddresses => {
  const base = /\/v\d+$/.test(url) ? url : `${url}/v1`
  const from = /^https?:\/\//.test(base) ? '' : root
  return {
    password: `${from}${base}/accounts:signInWithPassword`,
    refresh: `${from}${base.replace(ACCOUNTS, TOKENS)}/token`,
  }
}
