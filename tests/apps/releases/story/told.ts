import { collectionsOf } from '../../../../apps/host/host.ts'
import { payments } from '../../../../apps/payments/startable.ts'
import { realEstate } from '../../../../apps/real-estate/startable.ts'
import { openTestApi } from '../../payments/test-api.ts'
import type { Knowledge } from '../known.ts'
import { outside } from './outside.ts'
import { START, tellStory } from './story.ts'

interface Told {
  /** When it ended. */
  readonly now: string
  readonly known: Knowledge
}

/**
 * Tells the story on the store of an environment that holds nothing, and leaves it as a process does that dies. Throws where
 * the platform keeps something that does not come up in it.
 */
export const storyOf = async (env: Readonly<Record<string, string>>): Promise<Told> => {
  const ends: (() => unknown)[] = []
  const outsidePorts = outside()
  const api = await openTestApi(
    { teardown: (end) => void ends.push(end) },
    { env, now: START, instead: (host) => outsidePorts.ports(host) },
  )
  try {
    const known = await tellStory(api, outsidePorts)
    const now = api.clock.now()
    const held = await api.everything()
    const unheard = collectionsOf([payments, realEstate]).filter(({ name }) => (held[name] ?? []).length === 0)
    if (unheard.length > 0) throw new Error(`the story says nothing of ${unheard.map(({ name }) => name).join(', ')}`)
    return { now, known }
  } finally {
    // Nothing of what still hangs is written any more.
    await api.host.store.close()
    outsidePorts.letGo()
    for (const end of ends) await end()
  }
}
