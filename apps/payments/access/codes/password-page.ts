import type { Failure, Issue } from '../../../../core/failure.ts'
import { SNAKE_CASE } from '../../../../core/kernel/input/field.ts'
import { MIN_NEXT_PASSWORD } from '../../../../core/payments/members/user.ts'
import { cardPage, type Html, html } from '../../../http/pages/page.ts'

/** What the page of a password shows. */
export type PasswordPage =
  | { readonly shows: 'form'; readonly token: string; readonly failure: Failure | null }
  | { readonly shows: 'no token' }
  | { readonly shows: 'done' }

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

const HEADING = 'Crie sua senha'
const DEAD = 'Este endereço não vale mais ou já foi usado. Peça um novo e tente outra vez.'
const WRONG = 'A senha não foi salva. Corrija o que está indicado abaixo.'
const NO_TOKEN = 'O endereço está incompleto. Abra de novo o link que você recebeu por e-mail.'
const DONE = 'Pronto! Entre com seu e-mail e a nova senha.'

/** What is wrong with a field, to whoever fills in a page: they know nothing of fields. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  password: {
    required: 'Informe a nova senha.',
    'text.min': `A senha deve ter no mínimo ${MIN_NEXT_PASSWORD} caracteres.`,
    'text.max': 'A senha é longa demais.',
  },
  passwordConfirmation: {
    required: 'Repita a nova senha.',
    'same-as': 'As duas senhas não são iguais.',
  },
}
const STRANGE = 'A senha contém caracteres que não são aceitos.'

const fieldOf = (key: string, label: string, hint: string | null, issues: readonly Issue[]) => {
  const name = SNAKE_CASE.nameOf(key)
  const issue = issues.find(({ path }) => path === key)
  const error = issue ? (WORDS[key]?.[issue.code] ?? STRANGE) : null
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return { name, label, hint, error, describedBy }
}

/** The page as HTML, each failure in words. */
export const passwordPage = (page: PasswordPage): string => {
  if (page.shows === 'done') return cardPage('Senha salva', html`<div class="done" role="status"><p>${DONE}</p></div>`)
  if (page.shows === 'no token') return cardPage(HEADING, alertHtml(NO_TOKEN), `Erro: ${HEADING}`)
  const { token, failure } = page
  const issues = failure?.tag === 'invalid' ? failure.issues : []
  const fields = [
    fieldOf('password', 'Nova senha', `No mínimo ${MIN_NEXT_PASSWORD} caracteres.`, issues),
    fieldOf('passwordConfirmation', 'Repita a nova senha', null, issues),
  ]
  const isDead = issues.some(({ path }) => path === 'token')
  const title = failure ? `Erro: ${HEADING}` : HEADING
  return cardPage(HEADING, formHtml(failure && (isDead ? DEAD : WRONG), token, fields), title)
}
