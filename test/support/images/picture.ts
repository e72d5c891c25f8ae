/** A decoded picture: four bytes a pixel, red, green, blue and opacity, row after row from the top. */
export interface Picture {
  width: number
  height: number
  rgba: Buffer
}
