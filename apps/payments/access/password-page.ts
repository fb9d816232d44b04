import { type Failure, type Issue, invalid, isLeft, right } from '../../../core/failure.ts'
import { input, pick, SNAKE_CASE, sameAs } from '../../../core/kernel/input/mod.ts'
import { hooksWithValue, useCaseOf } from '../../../core/kernel/running/use-case.ts'
import type { Origin } from '../../../core/office/audit.ts'
import { tokenPasswordFields } from '../../../core/payments/access/password-reset.ts'
import { MIN_NEXT_PASSWORD, passwordFields } from '../../../core/payments/members/user.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import { ERROR_CODE } from '../../http/headers.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { cardPage, PAGE_HEADERS, PAGE_TYPE, postedText } from '../../http/pages/page.ts'
import { text } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { originOf, route, succeedWith } from '../api.ts'

type PasswordPage =
  | { readonly shows: 'form'; readonly token: string; readonly failure: Failure | null }
  | { readonly shows: 'no token' }
  | { readonly shows: 'done' }

const page = { area: 'Páginas', dialect: 'page', auth: 'public', paths: ['/password'] } as const

const form = input('PasswordForm', {
  token: postedText('Token do link'),
  password: postedText('Senha nova'),
  passwordConfirmation: postedText('A senha, outra vez'),
})

const link = input(null, pick(form.table, 'token'))

const newPassword = input(
  null,
  { ...pick(tokenPasswordFields, 'token', 'password'), passwordConfirmation: passwordFields.passwordConfirmation },
  sameAs('passwordConfirmation', 'password'),
)

const formAgain = (token: string, failure: Failure): PasswordPage =>
  token === '' ? { shows: 'no token' } : { shows: 'form', token, failure }

const DONE: PasswordPage = { shows: 'done' }

/** Resets the password as `POST /access/auth/reset` does, and returns a page. */
const setPassword = (core: Payments, sent: { readonly token: string }, origin: Origin) =>
  useCaseOf<PasswordPage>()(async (hooks) => {
    const read = newPassword.decode(sent)
    if (isLeft(read)) return right(formAgain(sent.token, invalid(read.left)))
    const done = await core.codes.resetPasswordByToken(read.right, origin)(hooks && hooksWithValue(hooks, DONE))
    if (!isLeft(done)) return right(DONE)
    return done.left.tag === 'invalid' ? right(formAgain(sent.token, done.left)) : done
  })

const isRefused = (page: PasswordPage): boolean =>
  page.shows === 'no token' || (page.shows === 'form' && page.failure !== null)

const reply = text<PasswordPage>({
  status: (page) => (isRefused(page) ? 422 : 200),
  others: [422],
  type: PAGE_TYPE,
  headers: (page) => (isRefused(page) ? { ...PAGE_HEADERS, [ERROR_CODE]: 'fields' } : PAGE_HEADERS),
  view: (page) => passwordHtml(page),
})

/** The page behind the link of an e-mail, in which a user sets a first password or replaces a forgotten one. */
export const passwordRows: readonly AnyRow[] = [
  route({
    ...page,
    name: 'password.show',
    summary: 'Página em que se cria uma senha com o link do e-mail',
    input: { query: link },
    // The token is not looked up, because programs that scan e-mails follow links too.
    run: (_call, { query: { token } }) =>
      succeedWith<PasswordPage>(token === '' ? { shows: 'no token' } : { shows: 'form', token, failure: null }),
    reply,
    example: { request: { query: { token: 'q7Yw2Lr9Tn4Kd8Vb' } } },
  }),
  route({
    ...page,
    name: 'password.set',
    summary: 'Salva a senha criada na página',
    methods: ['POST'],
    // Needs no protection against posts of other sites: no cookie is read, and only the token of the e-mail counts.
    body: { kinds: ['form'] },
    input: { body: form },
    run: ({ core, request }, { body: sent }) => setPassword(core, sent, originOf(request)),
    reply,
    errors: { 'code.throttled': {}, 'code.invalid': {} },
    example: {
      given: 'linked',
      request: { body: { token: 'q7Yw2Lr9Tn4Kd8Vb', password: 'nova e longa', password_confirmation: 'nova e longa' } },
    },
  }),
]

const passwordHtml = (page: PasswordPage): Uint8Array => {
  if (page.shows === 'done') return cardPage('Senha salva', html`<div class="done" role="status"><p>${SAVED}</p></div>`)
  if (page.shows === 'no token') return cardPage(HEADING, alertHtml(NO_TOKEN), `Erro: ${HEADING}`)
  const { token, failure } = page
  const issues = failure?.tag === 'invalid' ? failure.issues : []
  const fields = [
    fieldOf('password', 'Nova senha', `No mínimo ${MIN_NEXT_PASSWORD} caracteres.`, issues),
    fieldOf('passwordConfirmation', 'Repita a nova senha', null, issues),
  ]
  const isTokenWrong = issues.some(({ path }) => path === 'token')
  const title = failure ? `Erro: ${HEADING}` : HEADING
  return cardPage(HEADING, formHtml(failure && (isTokenWrong ? WRONG_TOKEN : WRONG_FIELDS), token, fields), title)
}

const HEADING = 'Crie sua senha'
const WRONG_TOKEN = 'Este endereço não vale mais ou já foi usado. Peça um novo e tente outra vez.'
const WRONG_FIELDS = 'A senha não foi salva. Corrija o que está indicado abaixo.'
const NO_TOKEN = 'O endereço está incompleto. Abra de novo o link que você recebeu por e-mail.'
const SAVED = 'Pronto! Entre com seu e-mail e a nova senha.'

/** Messages for the person at the page, in place of the messages of the API. */
const FIELD_ERRORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  password: {
    required: 'Informe a nova senha.',
    'text.min': `A senha deve ter no mínimo ${MIN_NEXT_PASSWORD} caracteres.`,
    'text.max': 'A senha é longa demais.',
  },
  passwordConfirmation: { required: 'Repita a nova senha.', 'same-as': 'As duas senhas não são iguais.' },
}
const WRONG_CHARACTERS = 'A senha contém caracteres que não são aceitos.'

const fieldOf = (key: string, label: string, hint: string | null, issues: readonly Issue[]) => {
  const name = SNAKE_CASE.nameOf(key)
  const issue = issues.find(({ path }) => path === key)
  const error = issue ? (FIELD_ERRORS[key]?.[issue.code] ?? WRONG_CHARACTERS) : null
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return { name, label, hint, error, describedBy }
}

type PageField = ReturnType<typeof fieldOf>

const fieldHtml = ({ name, label, hint, error, describedBy }: PageField): Html => html`
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="error" id="${name}-error">${error}</p>`}
<input id="${name}" name="${name}" type="password" autocomplete="new-password" required minlength="${MIN_NEXT_PASSWORD}"${
  describedBy !== '' && html` aria-describedby="${describedBy}"`
}${error !== null && html` aria-invalid="true"`}>`

const alertHtml = (text: string): Html => html`<div class="alert" role="alert"><p>${text}</p></div>`

const formHtml = (alert: string | null, token: string, fields: readonly PageField[]): Html => html`${
  alert && alertHtml(alert)
}
<form method="post" action="password">
<input type="hidden" name="token" value="${token}">${fields.map(fieldHtml)}
<button type="submit">Salvar senha</button>
</form>`
