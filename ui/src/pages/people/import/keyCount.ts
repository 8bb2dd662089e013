/** Two sums of a text (FNV-1a and a multiplicative one) as one number of 53 bits. */
function sumOf(text: string): number {
    let low = 0x811c9dc5;
    let high = 0x9e3779b9;
    for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        low = Math.imul(low ^ code, 0x01000193);
        high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
    }
    low = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
    high = Math.imul(high ^ (high >>> 16), 0x297a2d39);
    // Zero marks a free place of the table.
    return ((high >>> 0) & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 14)) >>> 0) || 1;
}

/**
 * How many different keys there were. A million of them take 16 MiB here, and several times as much
 * as texts; two keys with the same sum among so many happen once in 18,000 imports.
 */
export class KeyCount {
    count = 0;
    private sums = new Float64Array(1 << 12);

    add(key: string): void {
        if (!this.put(sumOf(key))) return;
        this.count++;
        if (this.count * 2 < this.sums.length) return;
        const old = this.sums;
        this.sums = new Float64Array(old.length * 2);
        for (const sum of old) if (sum !== 0) this.put(sum);
    }

    /** Whether it was not there. */
    private put(sum: number): boolean {
        let at = sum % this.sums.length;
        while (this.sums[at] !== 0) {
            if (this.sums[at] === sum) return false;
            at = (at + 1) % this.sums.length;
        }
        this.sums[at] = sum;
        return true;
    }
}
