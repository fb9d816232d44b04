import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Options } from 'tsup'
import { ASSETS } from '../http/docs/assets.ts'

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

/** The files that are served as they are, where they lie now. */
export const assetFiles: readonly string[] = Object.values(ASSETS).map((file) => resolve(file))

/** Copies them beside what is built. */
export const docsAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'docs-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      await Promise.all(Object.entries(ASSETS).map(([name, file]) => copyFile(resolve(file), join(folder, name))))
    })
  },
}
