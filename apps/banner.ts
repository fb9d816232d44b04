/** Where the apps listen, by their names. */
export type Urls = Readonly<Record<string, string>>

/** Who reads what is printed. */
interface Reader {
  readonly isTerminal: boolean
  readonly NODE_ENV: string
}

const register = (url: string, email: string): string => {
  const password = 'segredo-123'
  const body = { name: 'Ana Souza', email, password, password_confirmation: password }
  return `curl -s ${url}/v1/auth/register -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}

/** What a developer at a terminal sees of a start; empty for everybody else: programs read lines of JSON there. */
export const bannerOf = (urls: Urls, email: string, { isTerminal, NODE_ENV }: Reader): string => {
  if (!isTerminal || NODE_ENV !== 'development') return ''
  const { payments = '', 'real-estate': estate = '' } = urls
  return [
    '',
    `  Portico: payments     ${payments}`,
    `  Portico: real estate  ${estate}`,
    `  Panel of the agency   ${estate}/panel`,
    `  Documentation         ${payments}/docs`,
    `                        ${estate}/docs`,
    '',
    '  Register somebody:',
    `  ${register(payments, email)}`,
    '',
    '',
  ].join('\n')
}
