import { may } from '../../../../core/real-estate/real-estate-ports.ts'
import { isRefusedBy, messageOf, Refused, SignedOut } from '../../../panels/browser/connection.ts'
import { createUseLive } from '../../../panels/browser/live.ts'
import { provider } from './provider.ts'
import {
  canResume,
  ENDED,
  leave,
  postJson,
  read,
  readClaims,
  refusalOf,
  request,
  requestPublic,
  resume,
  sendVerification,
  signOut,
  view,
  WAIT,
} from './session.ts'
import type { Profile } from './wire.ts'
import { ROLE_NAMES } from './words.ts'

/** The parameters of an address from an e-mail: an invitation, or a code of the identity provider. */
const mailedParams = new URLSearchParams(location.hash.slice(1))
let invitation = mailedParams.get('convite')
const code = mailedParams.get('oobCode') ?? ''

const refuse = (title: string, why: string): void => {
  view.value = { name: 'refused', title, why }
}

/** Opens the board, or the view that the account needs first. */
const openBoard = async (): Promise<void> => {
  try {
    openFor(await read<Profile>('api/auth/login', postJson({})))
  } catch (error) {
    if (!isRefusedBy(error, 'user.unknown')) throw error
    await register()
  }
}

/** Opens the board, or explains why a role has none. */
const openFor = (profile: Profile): void => {
  const { name, role } = profile
  if (may(role, 'dashboard:read')) view.value = { name: 'board', profile }
  else
    refuse(
      'Este painel é da equipe',
      `Olá, ${name}. Você está como ${ROLE_NAMES[role].toLowerCase()}, e os números da imobiliária são para administração, financeiro e corretores.`,
    )
}

/** Registers an account without a company: by its invitation, or by founding a company. */
const register = async (): Promise<void> => {
  const { name = '', email = '' } = await readClaims()
  if (invitation === null) {
    view.value = { name: 'found', founder: name }
    return
  }
  try {
    await request('api/invitations/accept', postJson({ token: invitation, name: name === '' ? email : name }))
    invitation = null
    await openBoard()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.code !== 'invitation.email-unverified') return refuse('O convite não foi aceito', error.message)
    await sendVerification()
    refuse('Confirme seu e-mail', 'Enviamos uma mensagem com um endereço. Abra-o e volte ao convite.')
  }
}

/** Registers a company with the signed-in account as its administrator. */
export const foundCompany = async (name: string, legalName: string, taxId: string): Promise<void> => {
  const { sub: firebaseUid, email } = await readClaims()
  const company = { legalName, taxId: taxId === '' ? null : taxId }
  const own = { firebaseUid, email, name, role: 'Admin', companyId: newId(), company }
  await request('api/auth/register', postJson(own))
  await openBoard()
}

/**
 * Returns a random UUID. `crypto.randomUUID` exists only in secure contexts, which a test server in a local network is
 * not.
 */
const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const RETRY_MS = 5_000

/** Reports whether a retry may succeed: the connection is lost, or the server is busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Refused && (error.status >= 500 || error.status === 429))

/** Opens the view of the user after an authentication. Rejects if it is refused; then no user is signed in. */
export const enter = async (authentication: Promise<void>): Promise<void> => {
  try {
    await authentication
    await openBoard()
  } catch (error) {
    if (error instanceof SignedOut) return leave(ENDED)
    if (canResume() && isTemporary(error)) return retryLater()
    signOut()
    throw error
  }
}

const retryLater = (): void => {
  view.value = { name: 'wait', text: 'Sem conexão com o servidor: tentando de novo…' }
  setTimeout(() => reenter(resume()), RETRY_MS)
}

const reenter = (authentication: Promise<void>): void => {
  enter(authentication).catch((error: unknown) => leave({ error: messageOf(error) }))
}

/** Opens the view of the user's new role, unless that has begun. */
const reopen = (): void => {
  if (view.value.name !== 'board') return
  view.value = WAIT
  reenter(Promise.resolve())
}

/** Reads a path, and again while the page is visible. Without the permission it opens the view of the new role. */
export const useLive = createUseLive(async (path, tag) => {
  try {
    return await request(path, tag === null ? {} : { headers: { 'If-None-Match': tag } })
  } catch (error) {
    if (error instanceof Refused && error.status === 403) reopen()
    throw error
  }
})

interface Preview {
  readonly company: string | null
  readonly email: string
  readonly role: keyof typeof ROLE_NAMES
}

/** Shows the company of an invitation, and the sign-up form with its e-mail. */
const openInvitation = async (token: string): Promise<void> => {
  try {
    const answer = await requestPublic('api/invitations/preview', postJson({ token }))
    if (!answer.ok) throw await refusalOf(answer)
    const { company, email, role }: Preview = await answer.json()
    const sender = company ?? 'Uma imobiliária'
    const notice = `${sender} convidou ${email} (${ROLE_NAMES[role]}). Crie uma conta, ou entre com a sua.`
    leave({ notice, email, isNew: true })
  } catch (error) {
    invitation = null
    leave({ error: messageOf(error) })
  }
}

/** Confirms an e-mail with the mailed code. */
const confirmEmail = async (): Promise<void> => {
  try {
    await provider.confirm(code)
    leave({ notice: 'E-mail confirmado. Você já pode entrar.' })
  } catch (error) {
    leave({ error: messageOf(error) })
  }
}

/** Sets a new password with the mailed code. */
export const resetPassword = async (password: string): Promise<void> => {
  await provider.reset(code, password)
  leave({ notice: 'Senha salva. Entre com ela.' })
}

/** Opens the first view. */
export const start = (): void => {
  // A mailed token must not stay in the address.
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
  if (code !== '' && mailedParams.get('mode') === 'resetPassword') view.value = { name: 'reset' }
  else if (code !== '') void confirmEmail()
  else if (invitation !== null) void openInvitation(invitation)
  else if (canResume()) reenter(resume())
  else leave()
}
