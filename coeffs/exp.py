from mpmath import exp, log, mpf
from common import double, fit, log2, polynomial, rust_array
N=512
half=log(2)/N/2*(1+mpf(2)**-10)
c=fit(lambda r: (exp(r)-1-r)/r**2 if r else mpf(1)/2, -half, half, 1)
c=[double(v) for v in c]
worst=max(abs(polynomial([1,1]+c,half*i/60)/exp(half*i/60)-1) for i in range(-60,61))
print(log2(worst))
import struct
rows=[]
for i in range(N):
    b=struct.unpack('<Q',struct.pack('<d',double(mpf(2)**(mpf(i)/N))))[0]-(i<<(52-9))
    rows.append(f"    0x{b:016x},\n")
open("kernel/src/data/exp.rs","w").write(f"""use crate::isa::Split;
pub const POWERS_A_DOUBLING: u32 = {N};
pub const STEP: Split = Split::new({double(log(2)/N)!r}, 36);
pub const CUBIC: [f64; 2] = {rust_array(c)};
pub static POWERS: [u64; {N}] = [
{''.join(rows)}];
""")
