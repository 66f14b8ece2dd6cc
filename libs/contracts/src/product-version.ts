/** The version of this product, as package.json has it: what its services say of themselves on the bus and to AppAPI. */
export const PRODUCT_VERSION = '0.1.0';
