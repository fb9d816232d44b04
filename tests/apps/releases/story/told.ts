import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/app.ts'
import { realEstate } from '../../../../apps/real-estate/app.ts'
import { openTestApi } from '../../payments/test-api.ts'
import { openEstateApi } from '../../real-estate/test-api.ts'
import { AGENCY_START, tellAgency } from '../agency/story.ts'
import type { Knowledge } from '../known.ts'
import { outside } from './outside.ts'
import { START, tellStory } from './story.ts'

interface Told {
  /** When it ended. */
  readonly now: string
  readonly known: Knowledge
}

type Env = Readonly<Record<string, string>>
type Held = Awaited<ReturnType<Awaited<ReturnType<typeof openTestApi>>['everything']>>

/** What is closed once a part of the story is told. */
const ending = () => {
  const ends: (() => unknown)[] = []
  return {
    teardown: (end: () => unknown) => void ends.push(end),
    end: async () => {
      for (const end of ends) await end()
    },
  }
}

const platformOf = async (env: Env) => {
  const { teardown, end } = ending()
  const outsidePorts = outside()
  const api = await openTestApi({ teardown }, { env, now: START, instead: (host) => outsidePorts.ports(host) })
  try {
    const known = await tellStory(api, outsidePorts)
    return { now: api.clock.now(), known, held: await api.everything() }
  } finally {
    // Nothing of what still hangs is written any more.
    await api.host.store.close()
    outsidePorts.letGo()
    await end()
  }
}

const agencyOf = async (env: Env, now: string) => {
  const { teardown, end } = ending()
  const api = await openEstateApi({ teardown }, { env, now: AGENCY_START, usualIdentity: true })
  try {
    const agency = await tellAgency(api, now)
    return { agency, held: await api.everything() }
  } finally {
    await end()
  }
}

/** Throws where something is kept that does not come up in the story. */
const assertAllHeard = (held: Held): void => {
  const unheard = collectionsOf([payments, realEstate]).filter(({ name }) => (held[name] ?? []).length === 0)
  if (unheard.length > 0) throw new Error(`the story says nothing of ${unheard.map(({ name }) => name).join(', ')}`)
}

/**
 * Tells the story on the store of an environment that holds nothing, that of the platform and then that of an agency, and
 * leaves it as processes do that die. Throws where either keeps something that does not come up in it.
 */
export const storyOf = async (env: Env): Promise<Told> => {
  const { now, known, held } = await platformOf(env)
  const { agency, held: ofAgency } = await agencyOf(env, now)
  assertAllHeard({ ...held, ...ofAgency })
  return { now, known: { ...known, agency } }
}
