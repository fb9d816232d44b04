import { type Failure, invalid } from '../../../../core/failure.ts'
import { isLeft, right } from '../../../../core/fp.ts'
import { input } from '../../../../core/kernel/input/input.ts'
import { sameAs } from '../../../../core/kernel/input/rules.ts'
import { pick } from '../../../../core/kernel/input/table.ts'
import { hooksWithValue, useCaseOf } from '../../../../core/kernel/running/use-case.ts'
import type { Origin } from '../../../../core/office/audit.ts'
import { tokenPasswordFields } from '../../../../core/payments/access/password-link.ts'
import { passwordFields } from '../../../../core/payments/members/user.ts'
import type { Payments } from '../../../../core/payments/payments.ts'
import { ERROR_CODE } from '../../../http/headers.ts'
import { PAGE_HEADERS, PAGE_TYPE, posted } from '../../../http/pages/page.ts'
import { text } from '../../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'
import { originOf } from '../../origin.ts'
import { shown } from '../../shown.ts'
import { type PasswordPage, passwordPage } from './password-page.ts'

const page = { area: 'Páginas', dialect: 'page', auth: 'public', paths: ['/password'] } as const

const form = input('PasswordForm', {
  token: posted('Token do link'),
  password: posted('Senha nova'),
  passwordConfirmation: posted('A senha, outra vez'),
})

const link = input(null, pick(form.table, 'token'))

const newPassword = input(
  null,
  {
    ...pick(tokenPasswordFields, 'token', 'password'),
    passwordConfirmation: passwordFields.passwordConfirmation,
  },
  sameAs('passwordConfirmation', 'password'),
)

const again = (token: string, failure: Failure): PasswordPage =>
  token === '' ? { shows: 'no token' } : { shows: 'form', token, failure }

const DONE: PasswordPage = { shows: 'done' }

/** The same use case as that of `POST /access/auth/reset`, answered by a page. */
const setPassword = (core: Payments, sent: { readonly token: string }, origin: Origin) =>
  useCaseOf<PasswordPage>()(async (hooks) => {
    const read = newPassword.decode(sent)
    if (isLeft(read)) return right(again(sent.token, invalid(read.left)))
    const done = await core.codes.resetPasswordByToken(read.right, origin)(hooks && hooksWithValue(hooks, DONE))
    if (!isLeft(done)) return right(DONE)
    return done.left.tag === 'invalid' ? right(again(sent.token, done.left)) : done
  })

const isRefused = (page: PasswordPage): boolean =>
  page.shows === 'no token' || (page.shows === 'form' && page.failure !== null)

const reply = text<PasswordPage>({
  status: (page) => (isRefused(page) ? 422 : 200),
  others: [422],
  type: PAGE_TYPE,
  headers: (page) => (isRefused(page) ? { ...PAGE_HEADERS, [ERROR_CODE]: 'fields' } : PAGE_HEADERS),
  view: passwordPage,
})

/**
 * Where the link of a mail leads: the first password of whoever was given an account, and of whoever forgot theirs.
 * Source: decisions.md §1, Onboarding; §12, Onboarding and the rest.
 */
export const passwordRows: readonly AnyRow[] = [
  route({
    ...page,
    name: 'password.show',
    summary: 'Página em que se cria uma senha com o link do e-mail',
    methods: ['GET'],
    input: { query: link },
    // Nothing is looked up: programs that read mails follow links, too.
    run: (_call, { query: { token } }) =>
      shown<PasswordPage>(token === '' ? { shows: 'no token' } : { shows: 'form', token, failure: null }),
    reply,
    example: { request: { query: { token: 'q7Yw2Lr9Tn4Kd8Vb' } }, reply: null },
  }),
  route({
    ...page,
    name: 'password.set',
    summary: 'Salva a senha criada na página',
    methods: ['POST'],
    // Another site may post here, too, and gains nothing: no cookie is read, and only the token of the mail counts.
    body: { kinds: ['form'] },
    input: { body: form },
    run: ({ core, request }, { body: sent }) => setPassword(core, sent, originOf(request)),
    reply,
    errors: { 'code.throttled': {}, 'code.invalid': {} },
    example: {
      given: 'linked',
      request: { body: { token: 'q7Yw2Lr9Tn4Kd8Vb', password: 'nova e longa', password_confirmation: 'nova e longa' } },
      reply: null,
    },
  }),
]
