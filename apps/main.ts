import { bannerOf } from './banner.ts'
import { run } from './host/run.ts'
import { payments } from './payments/app.ts'
import { realEstate } from './real-estate/app.ts'

await run([payments, realEstate], (urls, { NODE_ENV, IDENTITY_ISSUER }) => {
  const email = `ana+${Date.now()}@example.com`
  process.stdout.write(bannerOf(urls, email, { isTerminal: process.stdout.isTTY, NODE_ENV, IDENTITY_ISSUER }))
})
