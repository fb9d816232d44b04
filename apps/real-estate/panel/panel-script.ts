import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { tagOf, zippedAsset } from '../../http/pages/asset.ts'

/** The script of the panel, its charts included, compressed: made of `browser/` when the rest is built. */
export const PANEL_SCRIPT = 'panel.js.gz'

const unzip = promisify(gunzip)

/** The script as it is sent. */
export interface SentScript {
  readonly bytes: Uint8Array
  readonly isZipped: boolean
  /** Set if the address has its mark: another script has another address. */
  readonly isMarked: boolean
}

/** The script, compressed by gzip where the browser takes that. */
export const panelScript = async (takesGzip: boolean, mark: unknown): Promise<SentScript> => {
  const zipped = await zippedAsset(PANEL_SCRIPT)
  return { bytes: takesGzip ? zipped : await unzip(zipped), isZipped: takesGzip, isMarked: mark === tagOf(zipped) }
}

/** What tells one script from that of another release, which browsers may still have. */
export const scriptMark = async (): Promise<string> => tagOf(await zippedAsset(PANEL_SCRIPT))
