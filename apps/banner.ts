/** The addresses of the apps by their names. */
type Urls = Readonly<Record<string, string>>

/** The conditions of the banner. */
interface Reader {
  readonly isTerminal: boolean
  readonly NODE_ENV: string
  /** The issuer of tokens for the agency; null for the development issuer. */
  readonly IDENTITY_ISSUER: string | null
}

const PASSWORD = 'segredo-123'

const posted = (url: string, body: object): string =>
  `curl -s '${url}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`

const register = (url: string, email: string): string =>
  posted(`${url}/v1/auth/register`, { name: 'Ana Souza', email, password: PASSWORD, password_confirmation: PASSWORD })

/** Returns the commands to sign up and in at the development issuer. */
const issuerLines = (estate: string, email: string): readonly string[] => {
  const [signUp, signIn] = ['signUp', 'signInWithPassword'].map(
    (call) => `${estate}/identitytoolkit.googleapis.com/v1/accounts:${call}`,
  )
  return [
    '  Sign up at the agency:',
    `  ${posted(`${signUp}`, { email, password: PASSWORD, displayName: 'Ana Souza' })}`,
    '  They sign in at:',
    `  ${signIn}`,
    '',
  ]
}

/** Returns the banner for a developer at a terminal; empty otherwise, since programs read JSON lines there. */
export const bannerOf = (urls: Urls, email: string, { isTerminal, NODE_ENV, IDENTITY_ISSUER }: Reader): string => {
  if (!isTerminal || NODE_ENV !== 'development') return ''
  const { payments = '', 'real-estate': estate = '' } = urls
  return [
    '',
    `  Portico: payments     ${payments}`,
    `  Portico: real estate  ${estate}`,
    `  Panels                ${payments}/panel`,
    `                        ${estate}/panel`,
    `  Documentation         ${payments}/docs`,
    `                        ${estate}/docs`,
    '',
    '  Register at the payments API:',
    `  ${register(payments, email)}`,
    '',
    ...(IDENTITY_ISSUER === null ? issuerLines(estate, email) : []),
    '',
  ].join('\n')
}
