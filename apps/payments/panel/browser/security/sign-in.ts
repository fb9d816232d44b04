import { begin, type ChallengeReply, type FactorChallenge, requestPublic, type TokenReply } from '../session.ts'
import { askPasskey, type Ceremony, type PasskeyResponse } from './passkey-ceremony.ts'

/** The key of the tokens of this trusted device in `localStorage`, by the e-mails of its users. */
const DEVICES_KEY = 'portico.devices'

const deviceKey = (email: string): string => email.trim().toLowerCase()

const readDevices = (): Readonly<Record<string, string>> => {
  try {
    return JSON.parse(localStorage.getItem(DEVICES_KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** If the browser refuses to store, the next sign-in requires the second factor. */
const writeDevice = (email: string, token: string): void => {
  try {
    localStorage.setItem(DEVICES_KEY, JSON.stringify({ ...readDevices(), [deviceKey(email)]: token }))
  } catch {
    // See above.
  }
}

/** Signs in, or returns the challenge that a person with a second factor must answer. */
export const signIn = async (email: string, password: string): Promise<FactorChallenge | null> => {
  const device_token = readDevices()[deviceKey(email)]
  const sent = { email, password, guarded: true, ...(device_token && { device_token }) }
  const { data } = await requestPublic<TokenReply | ChallengeReply>('POST', 'v1/auth/login', sent)
  if ('challenge' in data) return data
  begin({ data })
  return null
}

/** A proof of the second factor. */
export type Proof = { readonly code: string } | PasskeyResponse

export interface SecondStep {
  readonly email: string
  readonly challenge: string
  /** The device is trusted from now on. */
  readonly isTrusted: boolean
  readonly proof: Proof
}

interface SecondStepReply extends TokenReply {
  readonly data: TokenReply['data'] & { readonly device_token: string | null }
}

export const completeSignIn = async ({ email, challenge, isTrusted, proof }: SecondStep): Promise<void> => {
  const path = 'code' in proof ? 'v1/auth/second-step' : 'v1/auth/second-step/passkey'
  const sent = { challenge, trust_device: isTrusted, ...proof }
  const reply = await requestPublic<SecondStepReply>('POST', path, sent)
  if (reply.data.device_token) writeDevice(email, reply.data.device_token)
  begin(reply)
}

/** Signs in by a passkey alone. */
export const signInByPasskey = async (): Promise<void> => {
  const path = 'v1/auth/login/passkey'
  const begun = await requestPublic<Ceremony<PublicKeyCredentialRequestOptionsJSON>>('POST', `${path}-options`)
  const response = await askPasskey(begun)
  begin(await requestPublic<TokenReply>('POST', path, { ...response, guarded: true }))
}
