import { type Asset, builtAsset } from '../../http/pages/asset.ts'

/** The script of the panel, its charts included, compressed: made of `browser/` when the rest is built. */
export const PANEL_SCRIPT = 'panel.js.gz'

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

export const panelScript = (): Promise<Asset> => builtAsset(SCRIPT_TYPE, PANEL_SCRIPT)
