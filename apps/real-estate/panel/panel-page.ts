import { type Html, html } from '../../http/pages/html.ts'
import { pageKind } from '../../http/pages/page.ts'
import { upFrom } from '../../http/pages/up-from.ts'
import { PANEL_STYLE } from './panel-style.ts'
import { type SignIn, signInAddresses } from './sign-in.ts'

const TITLE = 'Painel da imobiliária'

/** What the page asks besides its own server: the provider, at the addresses where people sign in, and nobody else. */
const connects = (signIn: SignIn | null): string => {
  const asked = signIn === null ? [] : Object.values(signInAddresses(signIn))
  return ["connect-src 'self'", ...asked.filter((url) => /^https?:/.test(url))].join(' ')
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
<form id="sign-in" method="post">
<label for="email">E-mail</label>
<input id="email" type="email" autocomplete="username" required>
<label for="password">Senha</label>
<input id="password" type="password" autocomplete="current-password" required>
<button>Entrar</button>
</form>
</section>`

const REFUSED = html`<section class="card narrow" data-view="refused" hidden>
<h1 id="refused-title" tabindex="-1"></h1>
<p id="refused-why"></p>
<button type="button" data-leave>Entrar com outra conta</button>
</section>`

const WAIT = html`<p class="narrow hint" data-view="wait" role="status">Abrindo o painel…</p>`

/** A part of the board, empty until the script fills it. */
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
<p id="told" class="unseen" role="status"></p>
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
</div>
</div>`

/** The panel before anybody has signed in: its script fills it. */
export const panelPage = (signIn: SignIn | null) => {
  const kind = pageKind({
    style: PANEL_STYLE,
    allows: ["script-src 'self'", 'img-src data:', connects(signIn)],
  })
  const page = (mark: string, path: string): string => {
    if (signIn === null) return kind.page({ title: TITLE, body: UNCONFIGURED })
    const up = upFrom(path)
    const { password, refresh } = signInAddresses(signIn, up)
    return kind.page({
      title: TITLE,
      body: html`${WITHOUT_SCRIPT}
<div id="panel" data-up="${up}" data-password="${password}" data-refresh="${refresh}" data-key="${signIn.apiKey}" hidden>
${WAIT}
${ENTER}
${REFUSED}
${BOARD}
</div>
<script src="${up}panel/panel.js?v=${mark}"></script>`,
    })
  }
  return { headers: kind.headers, page }
}
