import { payments } from '../payments/startable.ts'
import { hasColors } from './colors.ts'
import { onFreshStore } from './on-fresh-store.ts'
import { receiver } from './receiver.ts'
import { story } from './story.ts'

await onFreshStore([payments], { WEBHOOKS_ALLOW_PRIVATE: 'true' }, async (url = '') => {
  const merchant = await receiver()
  try {
    await story(url, merchant, { colors: hasColors(process.env, process.stdout.isTTY) })
  } finally {
    await merchant.close()
  }
})
