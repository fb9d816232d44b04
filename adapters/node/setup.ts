import { isUint8Array } from 'node:util/types'
import { isLeft } from '../../core/fp.ts'
import { KEY_BYTES } from './secrets.ts'
import {
  anyText,
  hostName,
  linkBase,
  mailServer,
  optional,
  readSettings,
  type Setting,
  type Settings,
  secret,
  sender,
  setting,
  timeOfDay,
  usually,
} from './settings.ts'

/** What stands for settings that are not given, to a server as to a program. */
export const USUAL = { mailFrom: 'Portico <no-reply@localhost>', alertsAt: '07:00' } as const

/** Settings that nothing can be made of: nothing was opened, and nothing made. */
export class SetupFault extends Error {
  override readonly name = 'SetupFault'
  /** A line for each wrong one: its name, what it got (never a secret) and what it accepts. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** What a variable holds, as a text that a program gives. */
const text = <A>(inner: Setting<A>): Setting<A, unknown> => ({
  ...inner,
  read: (given) => (typeof given === 'string' ? inner.read(given) : undefined),
})

const texts = <A>(item: Setting<A>): Setting<readonly A[], unknown> =>
  setting(`a list: each ${item.accepts}`, (given) => {
    if (!Array.isArray(given)) return undefined
    const good = given.map(text(item).read).filter((value) => value !== undefined)
    return good.length === given.length ? good : undefined
  })

const truth = (): Setting<boolean, unknown> =>
  setting('true or false', (given) => (typeof given === 'boolean' ? given : undefined))

const bytes = (accepts: string, isEnough: (length: number) => boolean): Setting<Uint8Array, unknown> =>
  secret(setting(accepts, (given) => (isUint8Array(given) && isEnough(given.length) ? given : undefined)))

const table = {
  dataDir: text(anyText('a directory')),
  dataKey: optional(bytes(`${KEY_BYTES} bytes as a Uint8Array`, (length) => length === KEY_BYTES)),
  jwtSecret: optional(bytes(`at least ${KEY_BYTES} bytes as a Uint8Array`, (length) => length >= KEY_BYTES)),
  publicUrl: text(linkBase()),
  smtpUrl: optional(text(mailServer())),
  mailFrom: usually(text(sender()), USUAL.mailFrom),
  webhooksAllowPrivate: usually(truth(), false),
  resetHosts: optional(texts(hostName())),
  isProduction: usually(truth(), false),
  alertsAt: usually(text(timeOfDay()), USUAL.alertsAt),
}

export type CheckedSetup = Settings<typeof table>

/** The settings of a program, as a server reads those of its environment. Throws `SetupFault`. */
export const readSetup = (given: { readonly [K in keyof CheckedSetup]?: unknown }): CheckedSetup => {
  const settings = readSettings(table, given)
  if (isLeft(settings)) throw new SetupFault(settings.left)
  return settings.right
}
