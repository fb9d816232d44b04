import { type Finding, scanSlices } from '../../kernel/running/verify.ts'
import type { Files } from '../../ports/files.ts'
import { byId, type Store } from '../../ports/store.ts'
import { type Export, exports } from './export.ts'

/**
 * Looks for the file of each export that is ready, as long as it lives. One that ends meanwhile is no fault. The first break is
 * named. Source: decisions.md §4; issue 33.
 */
export const verifyExports = async (store: Store, files: Pick<Files, 'open'>): Promise<Finding> => {
  const lost: number[] = []
  let ready = 0
  for await (const slice of scanSlices(store, exports))
    for (const each of slice) {
      if (each.state !== 'ready') continue
      ready += 1
      if (!(await hasFile(files, each)) && (await store.find(byId(exports, each.id)))?.state === 'ready')
        lost.push(each.id)
    }
  const [first, ...more] = lost
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return {
    area: 'exports',
    figures: { ready },
    faults: first === undefined ? [] : [`export ${first} is ready, and has no file${others}`],
  }
}

const hasFile = async (files: Pick<Files, 'open'>, { notificationId }: Export): Promise<boolean> => {
  const chunks = await files.open(notificationId)
  if (chunks === null) return false
  // To leave it lets go of what holds it open.
  for await (const _ of chunks) break
  return true
}
