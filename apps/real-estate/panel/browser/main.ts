import { may } from '../../../../core/real-estate/role.ts'
import { boardOf } from './board.ts'
import { drawRevenue, followColours } from './chart.ts'
import { ghost } from './draw-lists.ts'
import { keepLive } from './live.ts'
import { clear, element, say, show } from './page.ts'
import { providerAt, Refused } from './provider.ts'
import { ApiProblem, SignedOut, sessionOf } from './session.ts'
import type { Profile } from './wire.ts'
import { ROLE_NAMES } from './words.ts'

const panel = element('#panel')
const { up = '', password = '', refresh = '', key = '' } = panel.dataset
const session = sessionOf(providerAt({ password, refresh, key }), up)

/** What ends with who is signed in. */
let stay = new AbortController()

const WRONG: Readonly<Record<string, string>> = {
  TOO_MANY_ATTEMPTS_TRY_LATER: 'Muitas tentativas. Espere alguns minutos e tente de novo.',
  USER_DISABLED: 'Esta conta foi desativada.',
  INVALID_EMAIL: 'Confira o e-mail.',
  MISSING_PASSWORD: 'Digite a senha.',
}
const WRONG_CREDENTIALS = ['INVALID_LOGIN_CREDENTIALS', 'INVALID_PASSWORD', 'EMAIL_NOT_FOUND', 'INVALID_CREDENTIAL']
const UNREACHED = 'Não foi possível entrar agora. Confira a conexão e tente de novo.'
const ENDED = 'Sua sessão terminou. Entre de novo.'

const wrongOf = (error: unknown): string => {
  if (!(error instanceof Refused)) return UNREACHED
  if (WRONG_CREDENTIALS.includes(error.message)) return 'E-mail ou senha não conferem.'
  return WRONG[error.message] ?? UNREACHED
}

/** Nobody sees any more what somebody saw. */
const close = (): void => {
  stay.abort()
  drawRevenue(null, [])
  clear(ghost)
}

const askToEnter = (why: string | null): void => {
  close()
  session.leave()
  document.title = 'Painel da imobiliária'
  show('enter')
  const alert = element('#wrong')
  alert.hidden = why === null
  alert.textContent = why
  element<HTMLInputElement>(why === null ? '#email' : '#password').focus()
}

const refuse = (title: string, why: string): void => {
  say('#refused-title', title)
  say('#refused-why', why)
  show('refused')
  element('#refused-title').focus()
}

const open = ({ name, role, company }: Profile): void => {
  const firm = company.legalName ?? 'Sua imobiliária'
  document.title = `${firm}: painel`
  say('#company', firm)
  say('#who', `${name} · ${ROLE_NAMES[role]}`)
  say('#told', '')
  show('board')
  element('#company').focus()
  stay = new AbortController()
  const { signal } = stay
  keepLive(session, boardOf(session, role, signal), signal, {
    signedOut: () => askToEnter(ENDED),
    refused() {
      close()
      void letIn(Promise.resolve())
    },
  })
}

/** Opens the board to who has just signed in, or says why not. */
const welcome = async (): Promise<void> => {
  const profile = await session.read<Profile>('api/auth/login', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  })
  if (may(profile.role, 'dashboard:read')) return open(profile)
  const role = ROLE_NAMES[profile.role].toLowerCase()
  refuse(
    'Este painel é da equipe',
    `Olá, ${profile.name}. Você está como ${role}, e os números da imobiliária são para administração, financeiro e corretores.`,
  )
}

const isUnknown = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'user.unknown'

const AGAIN_MS = 5_000

/** Whether it may work in a moment: the net is gone, or the server busy. */
const mayPass = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ApiProblem && (error.status >= 500 || error.status === 429))

const tryAgain = (): void => {
  say('[data-view="wait"]', 'Sem conexão com o servidor: tentando de novo…')
  show('wait')
  setTimeout(() => void letIn(session.resume()), AGAIN_MS)
}

/** Lets somebody in by what proves who they are. */
const letIn = async (proving: Promise<void>): Promise<void> => {
  try {
    await proving
    await welcome()
  } catch (error) {
    if (error instanceof SignedOut) return askToEnter(ENDED)
    if (isUnknown(error)) {
      return refuse(
        'Conta sem cadastro',
        'A senha está certa, mas esta conta não faz parte de nenhuma imobiliária. Peça à administração da sua que cadastre você.',
      )
    }
    if (session.canResume() && mayPass(error)) return tryAgain()
    askToEnter(wrongOf(error))
  }
}

element<HTMLFormElement>('#sign-in').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [email, secret] = [element<HTMLInputElement>('#email'), element<HTMLInputElement>('#password')]
  const button = element<HTMLButtonElement>('#sign-in button')
  button.disabled = true
  await letIn(session.enter(email.value.trim(), secret.value))
  secret.value = ''
  button.disabled = false
})

for (const each of document.querySelectorAll('[data-leave]')) each.addEventListener('click', () => askToEnter(null))

followColours()
panel.hidden = false
if (session.canResume()) void letIn(session.resume())
else askToEnter(null)
