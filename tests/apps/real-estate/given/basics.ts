import { type Answer, type EstateTestApi, type Person, worked } from '../test-api.ts'

/** What a fixture supplies: who asks, and what stands in the place of an example's ids. */
export interface Given {
  readonly token?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Makes what must exist, through the app; each call makes its own, which shares nothing with the others. */
export type Fixture = (api: EstateTestApi) => Promise<Given>

let count = 0
/** A number that no earlier call gave. */
export const next = (): number => {
  count += 1
  return count
}

/** Makes something by a POST, and gives it as the API shows it. */
export const post = async (
  api: EstateTestApi,
  { token }: Pick<Person, 'token'>,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<Answer['body']> => worked(await api.ask('POST', path, { token, body }))

/** An address of which all is told that is usual. */
export const HOME = {
  street: 'Rua das Flores',
  number: '100',
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zipCode: '01310-100',
}

/** A client that an admin makes. */
export const aClient = (api: EstateTestApi, admin: Person, over: Readonly<Record<string, unknown>> = {}) =>
  post(api, admin, '/api/clients', {
    name: 'Maria da Silva',
    email: `maria${next()}@example.com`,
    type: 'Individual',
    interest: 'Lease',
    ...over,
  })

const admin: Fixture = async (api) => {
  const { token } = await api.agency({ legalName: 'Imobiliária Aurora Ltda.', taxId: '11222333000181' })
  return { token }
}

/** Somebody whom the provider knows, and nobody has registered. */
const newcomer: Fixture = async (api) => {
  const own = { firebaseUid: `uid-new-${next()}`, email: `nova${next()}@example.com` }
  const token = await api.sign({ sub: own.firebaseUid, email: own.email, email_verified: true })
  return { token, body: own }
}

/** Invites an e-mail, and returns the token of the mail. */
export const invited = async (api: EstateTestApi, by: Pick<Person, 'token'>, email: string, role = 'Broker') => {
  const { id } = await post(api, by, '/api/invitations', { email, role })
  const [, token = ''] = /#convite=(\w+)/.exec((await api.mailsTo(email)).at(-1) ?? '') ?? []
  return { id, token } as const
}

const invitation: Fixture = async (api) => {
  const by = await api.agency()
  const { id } = await invited(api, by, `convite${next()}@example.com`)
  return { token: by.token, params: { id } }
}

/** A person with an account at the provider, and the token of an invitation. */
const invitee: Fixture = async (api) => {
  const own = { sub: `uid-invited-${next()}`, email: `convite${next()}@example.com` }
  const { token } = await invited(api, await api.agency({ legalName: 'Imobiliária Aurora Ltda.' }), own.email)
  return { token: await api.sign({ ...own, email_verified: true }), body: { token } }
}

export const basics: Readonly<Record<string, Fixture>> = { admin, newcomer, invitation, invited: invitee }
