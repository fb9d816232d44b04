import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { openStore } from '../../../apps/host/open-store.ts'
import { httpKeys } from '../../../apps/http/keys-collection.ts'
import type { Log } from '../../../apps/http/log.ts'
import { mount } from '../../../apps/http/mount.ts'
import { serve } from '../../../apps/http/serve.ts'
import { dialects } from '../../../apps/payments/dialects.ts'
import { doorsOf } from '../../../apps/payments/doors.ts'
import { messages } from '../../../apps/payments/messages/catalogue.ts'
import { rows } from '../../../apps/payments/routes/rows.ts'
import { paymentsCollections } from '../../../core/payments/collections.ts'
import { payments } from '../../../core/payments/payments.ts'
import { worldOn } from '../../core/payments/identity/world.ts'
import { storeUrl } from '../store-url.ts'

type Sent = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  header(name: string): string | null
}

export const PASSWORD = 'correto e longo'
export const BAKERY = { name: 'Padaria', email: 'contato@padaria.com', document: '11.222.333/0001-81' }

/** The payments API over HTTP, with everything but its store in memory; stopped when the test is over. */
export const served = async (t: ExecutionContext) => {
  const directory = await mkdtemp(join(tmpdir(), 'portico-served-'))
  const store = await openStore(storeUrl(directory), [...paymentsCollections, httpKeys])
  const here = worldOn(store)
  const core = payments(here.ports)
  const failures: unknown[] = []
  const log: Log = {
    request: () => {},
    failure: (_about, error) => failures.push(error),
    warn: () => {},
    info: () => {},
  }
  const app = mount({
    ...here.ports,
    name: 'payments',
    title: 'Pagamentos',
    version: '0',
    core,
    doors: doorsOf(core),
    rows,
    dialects,
    defaultDialect: 'envelope',
    messages,
    log,
    corsOrigins: [],
    trustProxy: true,
    publicUrl: here.ports.settings.publicUrl,
  })
  const serving = await serve(app, { host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    await serving.stop()
    await store.close()
    await rm(directory, { recursive: true, force: true })
    // What was answered as a 500 shows its cause here.
    if (failures.length > 0) throw failures[0]
  })

  const ask = async (method: string, path: string, sent?: unknown, headers: Record<string, string> = {}) => {
    const isJson = sent !== undefined
    const response = await fetch(`${serving.url}${path}`, {
      method,
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(isJson ? { body: JSON.stringify(sent) } : {}),
    })
    const answer: Answer = {
      status: response.status,
      body: (await response.json()) as Sent,
      header: (name) => response.headers.get(name),
    }
    return answer
  }
  const as = (token: string, more: Record<string, string> = {}) => ({ authorization: `Bearer ${token}`, ...more })
  const register = async (email = 'maria@example.com'): Promise<string> => {
    const person = { name: 'Maria', email, password: PASSWORD, password_confirmation: PASSWORD }
    const { body } = await ask('POST', '/v1/auth/register', person)
    return `${(body.data as Sent).access_token}`
  }
  return {
    ...here,
    ask,
    as,
    register,
    /** Registers somebody who has an organization; its answer as the API gave it. */
    organized: async (email?: string, organization: Sent = BAKERY) => {
      const token = await register(email)
      const { body } = await ask('POST', '/v1/organizations', organization, as(token))
      return { token, organization: body.organization as { readonly id: number; readonly uuid: string } }
    },
  }
}

/** What a list of fields was told: the messages of each. */
export const errorsOf = ({ body }: Answer): Readonly<Record<string, readonly string[]>> =>
  (body.errors ?? {}) as Readonly<Record<string, readonly string[]>>

/** A text of so many code points, none of them ASCII, each of two UTF-16 units. */
export const wide = (codePoints: number): string => '𝓐'.repeat(codePoints)
