import type { Failure, Issue } from '../../../../core/failure.ts'
import { SNAKE_CASE } from '../../../../core/kernel/input/side.ts'
import { MIN_NEXT_PASSWORD } from '../../../../core/payments/members/user-fields.ts'
import { pageOf } from '../../../http/pages/page.ts'

/** What the page of a password shows. */
export type PasswordPage =
  | { readonly shows: 'form'; readonly token: string; readonly failure: Failure | null }
  | { readonly shows: 'no token' }
  | { readonly shows: 'done' }

const FORM = `<% if (it.alert) { %><div class="alert" role="alert"><p><%= it.alert %></p></div><% } %>
<form method="post" action="password">
<input type="hidden" name="token" value="<%= it.token %>">
<% for (const field of it.fields) { %>
<label for="<%= field.name %>"><%= field.label %></label>
<% if (field.hint) { %><p class="hint" id="<%= field.name %>-hint"><%= field.hint %></p><% } %>
<% if (field.error) { %><p class="error" id="<%= field.name %>-error"><%= field.error %></p><% } %>
<input id="<%= field.name %>" name="<%= field.name %>" type="password" autocomplete="new-password" required minlength="${MIN_NEXT_PASSWORD}"
<% if (field.describedBy) { %> aria-describedby="<%= field.describedBy %>"<% } %><% if (field.error) { %> aria-invalid="true"<% } %>>
<% } %>
<button type="submit">Salvar senha</button>
</form>`

const form = pageOf<{ alert: string | null; token: string; fields: readonly ReturnType<typeof fieldOf>[] }>(FORM)
const alert = pageOf<{ text: string }>('<div class="alert" role="alert"><p><%= it.text %></p></div>')
const done = pageOf<{ text: string }>('<div class="done" role="status"><p><%= it.text %></p></div>')

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
  if (page.shows === 'done') return done({ heading: 'Senha salva' }, { text: DONE })
  if (page.shows === 'no token') return alert({ heading: HEADING, title: `Erro: ${HEADING}` }, { text: NO_TOKEN })
  const { token, failure } = page
  const issues = failure?.tag === 'invalid' ? failure.issues : []
  const fields = [
    fieldOf('password', 'Nova senha', `No mínimo ${MIN_NEXT_PASSWORD} caracteres.`, issues),
    fieldOf('passwordConfirmation', 'Repita a nova senha', null, issues),
  ]
  const isDead = issues.some(({ path }) => path === 'token')
  const title = failure ? `Erro: ${HEADING}` : HEADING
  return form({ heading: HEADING, title }, { alert: failure && (isDead ? DEAD : WRONG), token, fields })
}
