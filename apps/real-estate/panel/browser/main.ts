import { may } from '../../../../core/real-estate/real-estate-ports.ts'
import { boardOf } from './board.ts'
import { drawRevenue, followColours, ghost } from './draw.ts'
import { keepLive } from './live.ts'
import { clear, element, setText, show, showAlert } from './page.ts'
import { ApiProblem, messageOf, postJson, providerAt, Refused, SignedOut, sessionOf } from './session.ts'
import { manageTeam } from './team.ts'
import type { Profile } from './wire.ts'
import { ROLE_NAMES } from './words.ts'

const panel = element('#panel')
const { root = '', password = '', refresh = '', key = '' } = panel.dataset
const provider = providerAt({ password, refresh, key })
const session = sessionOf(provider, root)

/** The parameters of an address from an e-mail: an invitation, or a code of the identity provider. */
const mailedParams = new URLSearchParams(location.hash.slice(1))
let invitation = mailedParams.get('convite')

/** Aborted when the user signs out. */
let signedIn = new AbortController()

const PROVIDER_MESSAGES: Readonly<Record<string, string>> = {
  TOO_MANY_ATTEMPTS_TRY_LATER: 'Muitas tentativas. Espere alguns minutos e tente de novo.',
  USER_DISABLED: 'Esta conta foi desativada.',
  INVALID_EMAIL: 'Confira o e-mail.',
  MISSING_PASSWORD: 'Digite a senha.',
  EMAIL_EXISTS: 'Já existe uma conta com este e-mail. Entre com ela.',
  EMAIL_NOT_FOUND: 'Não há conta com este e-mail.',
  WEAK_PASSWORD: 'A senha deve ter no mínimo 6 caracteres.',
  INVALID_OOB_CODE: 'Este endereço já foi usado ou não vale mais.',
  EXPIRED_OOB_CODE: 'Este endereço venceu. Peça outro.',
}
const WRONG_CREDENTIALS = ['INVALID_LOGIN_CREDENTIALS', 'INVALID_PASSWORD', 'EMAIL_NOT_FOUND', 'INVALID_CREDENTIAL']
const UNREACHABLE = 'Não foi possível entrar agora. Confira a conexão e tente de novo.'
const ENDED = 'Sua sessão terminou. Entre de novo.'

const providerMessageOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return UNREACHABLE
  if (WRONG_CREDENTIALS.includes(error.message)) return 'E-mail ou senha não conferem.'
  return PROVIDER_MESSAGES[error.message] ?? UNREACHABLE
}

/** Empties the board, so that the next user sees nothing of it. */
const clearBoard = (): void => {
  signedIn.abort()
  drawRevenue(null, [])
  clear(ghost)
}

/** Turns the sign-in form into a sign-up form, or back. */
const setSignUp = (isNew: boolean): void => {
  element('#naming').hidden = !isNew
  element<HTMLInputElement>('#name').required = isNew
  element<HTMLInputElement>('#password').autocomplete = isNew ? 'new-password' : 'current-password'
  element('#forgot').hidden = isNew
  setText('#sign-in button', isNew ? 'Criar conta' : 'Entrar')
  setText('#switch', isNew ? 'Já tenho conta' : 'Criar uma conta')
}

const isSignUp = (): boolean => !element('#naming').hidden

/** Shows a confirmation above the sign-in form. */
const showNotice = (text: string | null): void => showAlert('#notice', text)

const showSignIn = (why: string | null, isNew = false): void => {
  clearBoard()
  session.signOut()
  document.title = 'Painel da imobiliária'
  show('enter')
  showAlert('#wrong', why)
  showNotice(null)
  setSignUp(isNew)
  element<HTMLInputElement>(why === null ? '#email' : '#password').focus()
}

const showRefusal = (title: string, why: string): void => {
  setText('#refused-title', title)
  setText('#refused-why', why)
  show('refused')
  element('#refused-title').focus()
}

const showBoard = ({ name, role, company }: Profile): void => {
  const firm = company.legalName ?? 'Sua imobiliária'
  document.title = `${firm}: painel`
  setText('#company', firm)
  setText('#who', `${name} · ${ROLE_NAMES[role]}`)
  setText('#announcement', '')
  show('board')
  element('#company').focus()
  signedIn = new AbortController()
  const { signal } = signedIn
  if (may(role, 'invitations:write')) manageTeam(session, signal)
  keepLive(session, boardOf(session, role, signal), signal, {
    signedOut: () => showSignIn(ENDED),
    refused() {
      clearBoard()
      void enter(Promise.resolve())
    },
  })
}

/** Opens the board, or explains why this role has none. */
const openBoard = async (): Promise<void> => {
  const profile = await session.read<Profile>('api/auth/login', postJson({}))
  if (may(profile.role, 'dashboard:read')) return showBoard(profile)
  const role = ROLE_NAMES[profile.role].toLowerCase()
  showRefusal(
    'Este painel é da equipe',
    `Olá, ${profile.name}. Você está como ${role}, e os números da imobiliária são para administração, financeiro e corretores.`,
  )
}

/** Registers the account with the company that invited it. */
const acceptInvitation = async (token: string): Promise<void> => {
  const { name, email = '' } = await session.claims()
  await session.request('api/invitations/accept', postJson({ token, name: name ?? email }))
  invitation = null
}

/** Registers an account without a company: by its invitation, or by founding a company. */
const register = async (): Promise<void> => {
  if (invitation === null) {
    element<HTMLInputElement>('#founder').value = (await session.claims()).name ?? ''
    showAlert('#found-wrong', null)
    show('found')
    element('#found-title').focus()
    return
  }
  try {
    await acceptInvitation(invitation)
    await openBoard()
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    if (error.code === 'invitation.email-unverified') {
      await session.sendVerification()
      return showRefusal('Confirme seu e-mail', 'Enviamos uma mensagem com um endereço. Abra-o e volte ao convite.')
    }
    showRefusal('O convite não foi aceito', error.message)
  }
}

const isUnregistered = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'user.unknown'

const RETRY_MS = 5_000

/** Reports whether a retry may succeed: the connection is lost, or the server is busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiProblem && (error.status >= 500 || error.status === 429))

const retryLater = (): void => {
  setText('[data-view="wait"]', 'Sem conexão com o servidor: tentando de novo…')
  show('wait')
  setTimeout(() => void enter(session.resume()), RETRY_MS)
}

const isKnownEmail = (error: unknown): boolean => error instanceof Refused && error.message === 'EMAIL_EXISTS'

/** Opens the board after an authentication. */
const enter = async (authentication: Promise<void>, isNew = false): Promise<void> => {
  try {
    await authentication
    await openBoard()
  } catch (error) {
    if (error instanceof SignedOut) return showSignIn(ENDED)
    if (isUnregistered(error)) return register().catch(() => showSignIn(UNREACHABLE))
    if (session.canResume() && isTemporary(error)) return retryLater()
    // A refused sign-up stays in its form, unless the e-mail has an account: then the user signs in.
    showSignIn(providerMessageOf(error), isNew && !isKnownEmail(error))
  }
}

element<HTMLFormElement>('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [email, secret] = [element<HTMLInputElement>('#email'), element<HTMLInputElement>('#password')]
  const button = element<HTMLButtonElement>('#sign-in button')
  button.disabled = true
  showNotice(null)
  const [address, typed] = [email.value.trim(), secret.value]
  const isNew = isSignUp()
  const name = element<HTMLInputElement>('#name').value.trim()
  await enter(isNew ? session.signUp(address, typed, name) : session.signIn(address, typed), isNew)
  secret.value = ''
  button.disabled = false
})

for (const each of document.querySelectorAll('[data-leave]')) each.addEventListener('click', () => showSignIn(null))

element('#switch').addEventListener('click', () => {
  setSignUp(!isSignUp())
  showAlert('#wrong', null)
  element(isSignUp() ? '#name' : '#email').focus()
})

element('#forgot').addEventListener('click', async () => {
  const email = element<HTMLInputElement>('#email')
  showNotice(null)
  showAlert('#wrong', null)
  if (!email.reportValidity()) return
  try {
    await provider.sendReset(email.value.trim())
    showNotice(`Enviamos para ${email.value.trim()} um endereço que cria uma nova senha.`)
  } catch (error) {
    showAlert('#wrong', providerMessageOf(error))
  }
})

element<HTMLFormElement>('#found').addEventListener('submit', async (event) => {
  event.preventDefault()
  const typedIn = (selector: string) => element<HTMLInputElement>(selector).value.trim()
  try {
    const { sub: firebaseUid, email } = await session.claims()
    const taxId = typedIn('#cnpj') === '' ? null : typedIn('#cnpj')
    const company = { legalName: typedIn('#firm'), taxId }
    const own = { firebaseUid, email, name: typedIn('#founder'), role: 'Admin', companyId: newId(), company }
    await session.request('api/auth/register', postJson(own))
    await openBoard()
  } catch (error) {
    if (error instanceof SignedOut) return showSignIn(ENDED)
    showAlert('#found-wrong', messageOf(error))
  }
})

element<HTMLFormElement>('#reset').addEventListener('submit', async (event) => {
  event.preventDefault()
  const next = element<HTMLInputElement>('#next')
  try {
    await provider.reset(mailedParams.get('oobCode') ?? '', next.value)
    next.value = ''
    showSignIn(null)
    showNotice('Senha salva. Entre com ela.')
  } catch (error) {
    showAlert('#reset-wrong', providerMessageOf(error))
  }
})

/** Returns a random UUID. `crypto.randomUUID` exists only in secure contexts, which a test server in a local network is not. */
const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

interface Preview {
  readonly company: string | null
  readonly email: string
  readonly role: keyof typeof ROLE_NAMES
}

/** Shows the company of an invitation, and the sign-up form with its e-mail. */
const openInvitation = async (token: string): Promise<void> => {
  showSignIn(null)
  try {
    const answer = await fetch(`${root}api/invitations/preview`, postJson({ token }))
    const { company, email, role, detail } = (await answer.json()) as Preview & { readonly detail?: string }
    if (!answer.ok) throw new Error(detail)
    element<HTMLInputElement>('#email').value = email
    setSignUp(true)
    showNotice(
      `${company ?? 'Uma imobiliária'} convidou ${email} (${ROLE_NAMES[role]}). Crie uma conta, ou entre com a sua.`,
    )
    element('#name').focus()
  } catch (error) {
    invitation = null
    showAlert('#wrong', error instanceof TypeError ? UNREACHABLE : `${(error as Error).message}`)
  }
}

/** Confirms an e-mail with a mailed code. */
const openCode = async (code: string): Promise<void> => {
  showSignIn(null)
  try {
    await provider.confirm(code)
    showNotice('E-mail confirmado. Você já pode entrar.')
  } catch (error) {
    showAlert('#wrong', providerMessageOf(error))
  }
}

const start = (): void => {
  const code = mailedParams.get('oobCode')
  // A mailed token must not stay in the address.
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  if (code !== null && mailedParams.get('mode') === 'resetPassword') {
    show('reset')
    element('#reset-title').focus()
  } else if (code !== null) void openCode(code)
  else if (invitation !== null) void openInvitation(invitation)
  else if (session.canResume()) void enter(session.resume())
  else showSignIn(null)
}

followColours()
panel.hidden = false
start()
