import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type { Options } from 'tsup'
import { WIDE_FONTS } from '../../adapters/pdf/fonts.ts'

const { resolve } = createRequire(join(process.cwd(), 'package.json'))

/** The font files, in the package that they come from. */
export const fontAssetFiles: readonly string[] = Object.values(WIDE_FONTS).map((file) =>
  resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** Puts the fonts of documents beside what is built. */
export const fontAssets: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'font-assets',
  setup(building) {
    const folder = join(building.initialOptions.outdir ?? '', 'assets')
    building.onEnd(async () => {
      await mkdir(folder, { recursive: true })
      for (const file of fontAssetFiles) await copyFile(file, join(folder, basename(file)))
    })
  },
}
