import { begin, type ChallengeReply, type FactorChallenge, requestPublic, type TokenReply } from '../session.ts'

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

/** If the browser refuses to store, the next sign-in asks for the second factor. */
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

/** A proof of the second factor, and whether the device is trusted from now on. */
export interface SecondStep {
  readonly email: string
  readonly challenge: string
  readonly trust_device: boolean
  readonly code: string
}

interface SecondStepReply extends TokenReply {
  readonly data: TokenReply['data'] & { readonly device_token: string | null }
}

export const completeSignIn = async ({ email, ...step }: SecondStep): Promise<void> => {
  const reply = await requestPublic<SecondStepReply>('POST', 'v1/auth/second-step', step)
  if (reply.data.device_token) writeDevice(email, reply.data.device_token)
  begin(reply)
}
