import { isRefusedBy, Refused } from '../../../panels/browser/connection.ts'

const { password = '', refresh = '', key = '' } = document.querySelector<HTMLElement>('#panel')?.dataset ?? {}

/** The tokens of a signed-in user. */
export interface Tokens {
  readonly idToken: string
  readonly refreshToken: string
  /** The time of renewal by the clock of this browser, in milliseconds since 1970. */
  readonly renewAt: number
}

/** The reply of a sign-in or of a renewal, which name the same fields differently. */
interface TokenReply {
  readonly idToken?: string
  readonly id_token?: string
  readonly refreshToken?: string
  readonly refresh_token?: string
  readonly expiresIn?: string
  readonly expires_in?: string
  readonly error?: { readonly message?: string }
}

const HOUR_SECONDS = 3_600
/** A token is renewed this long before it expires: requests take time, and clocks differ. */
const AHEAD_SECONDS = 60

const tokensOf = (reply: TokenReply): Tokens => {
  const seconds = Number(reply.expiresIn ?? reply.expires_in ?? HOUR_SECONDS)
  return {
    idToken: reply.idToken ?? reply.id_token ?? '',
    refreshToken: reply.refreshToken ?? reply.refresh_token ?? '',
    renewAt: Date.now() + (seconds - AHEAD_SECONDS) * 1_000,
  }
}

const WRONG_CREDENTIALS = 'E-mail ou senha não conferem.'

/** Returns the code of `TOO_MANY_ATTEMPTS_TRY_LATER : Access has been disabled`, without the explanation. */
const codeOf = ({ error }: TokenReply): string => error?.message?.split(/[\s:]/)[0] ?? 'UNKNOWN'

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_LOGIN_CREDENTIALS: WRONG_CREDENTIALS,
  INVALID_PASSWORD: WRONG_CREDENTIALS,
  INVALID_CREDENTIAL: WRONG_CREDENTIALS,
  EMAIL_NOT_FOUND: WRONG_CREDENTIALS,
  TOO_MANY_ATTEMPTS_TRY_LATER: 'Muitas tentativas. Espere alguns minutos e tente de novo.',
  USER_DISABLED: 'Esta conta foi desativada.',
  INVALID_EMAIL: 'Confira o e-mail.',
  MISSING_PASSWORD: 'Digite a senha.',
  EMAIL_EXISTS: 'Já existe uma conta com este e-mail. Entre com ela.',
  WEAK_PASSWORD: 'A senha deve ter no mínimo 6 caracteres.',
  INVALID_OOB_CODE: 'Este endereço já foi usado ou não vale mais.',
  EXPIRED_OOB_CODE: 'Este endereço venceu. Peça outro.',
}

const post = async (url: string, body: BodyInit, type: string): Promise<TokenReply> => {
  const answer = await fetch(`${url}?key=${encodeURIComponent(key)}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
    referrerPolicy: 'no-referrer',
  })
  const reply: TokenReply = await answer.json()
  if (answer.ok) return reply
  const code = codeOf(reply)
  throw new Refused(answer.status, { code, message: MESSAGES[code] ?? 'Não foi possível entrar agora. Tente de novo.' })
}

const requestTokens = async (...sent: Parameters<typeof post>): Promise<Tokens> => tokensOf(await post(...sent))

const JSON_TYPE = 'application/json'

const accounts = password.replace(/:signInWithPassword$/, '')

const perform = async (operation: string, sent: object): Promise<void> => {
  await post(`${accounts}:${operation}`, JSON.stringify(sent), JSON_TYPE)
}

/** The calls of the identity provider (Firebase Auth REST API). They reject with `Refused`, or as `fetch` does. */
export const provider = {
  signIn: (email: string, secret: string): Promise<Tokens> =>
    requestTokens(password, JSON.stringify({ email, password: secret, returnSecureToken: true }), JSON_TYPE),
  signUp: (email: string, secret: string, displayName: string): Promise<Tokens> => {
    const sent = { email, password: secret, displayName, returnSecureToken: true }
    return requestTokens(`${accounts}:signUp`, JSON.stringify(sent), JSON_TYPE)
  },
  /** Makes the provider send a code for a new password. */
  sendReset: (email: string): Promise<void> =>
    perform('sendOobCode', { requestType: 'PASSWORD_RESET', email }).catch((error: unknown) => {
      if (!isRefusedBy(error, 'EMAIL_NOT_FOUND')) throw error
      throw new Refused(error.status, { code: error.code, message: 'Não há conta com este e-mail.' })
    }),
  sendVerification: (idToken: string): Promise<void> =>
    perform('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken }),
  reset: (oobCode: string, newPassword: string): Promise<void> => perform('resetPassword', { oobCode, newPassword }),
  confirm: (oobCode: string): Promise<void> => perform('update', { oobCode }),
  renew: (refreshToken: string): Promise<Tokens> =>
    requestTokens(
      refresh,
      new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      'application/x-www-form-urlencoded',
    ),
}
