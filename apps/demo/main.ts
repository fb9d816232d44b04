import { payments } from '../payments/app.ts'
import { onFreshStore } from './demo.ts'
import { hasColors, receiver, story } from './story.ts'

await onFreshStore([payments], { WEBHOOKS_ALLOW_PRIVATE: 'true' }, async (url = '') => {
  const merchant = await receiver()
  try {
    await story(url, merchant, { colors: hasColors(process.env, process.stdout.isTTY) })
  } finally {
    await merchant.close()
  }
})
