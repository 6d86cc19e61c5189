//! sRGB of 8 bits, exactly: decoding by a table of correctly rounded values, encoding by thresholds.
//!
//! Source: IEC 61966-2-1. Both tables were computed with 60 decimal digits: `DECODE[i]` is the f32 nearest to the linear
//! value of i / 255, `THRESHOLD[k]` the smallest f32 whose encoding is at least k - 0.5 in units of 1/255.

/// Bits of the linear value of each code.
#[rustfmt::skip]
const DECODE_BITS: [u32; 256] = [
    0x0000_0000, 0x399F_22B4, 0x3A1F_22B4, 0x3A6E_B40E, 0x3A9F_22B4, 0x3AC6_EB61, 0x3AEE_B40E, 0x3B0B_3E5D,
    0x3B1F_22B4, 0x3B33_070A, 0x3B46_EB61, 0x3B5B_518E, 0x3B70_F18F, 0x3B83_E1C6, 0x3B8F_E616, 0x3B9C_87FD,
    0x3BA9_C9B6, 0x3BB7_AD6F, 0x3BC6_354A, 0x3BD5_6360, 0x3BE5_39C1, 0x3BF5_BA71, 0x3C03_73B6, 0x3C0C_6153,
    0x3C15_A705, 0x3C1F_45BE, 0x3C29_3E6B, 0x3C33_91F7, 0x3C3E_4149, 0x3C49_4D44, 0x3C54_B6C9, 0x3C60_7EB4,
    0x3C6C_A5DF, 0x3C79_2D22, 0x3C83_0AA9, 0x3C89_AF9F, 0x3C90_85DC, 0x3C97_8DC6, 0x3C9E_C7C2, 0x3CA6_3433,
    0x3CAD_D37D, 0x3CB5_A602, 0x3CBD_AC21, 0x3CC5_E63A, 0x3CCE_54AC, 0x3CD6_F7D5, 0x3CDF_D010, 0x3CE8_DDBA,
    0x3CF2_212D, 0x3CFB_9AC3, 0x3D02_A56A, 0x3D07_98DD, 0x3D0C_A7E6, 0x3D11_D2AF, 0x3D17_1964, 0x3D1C_7C30,
    0x3D21_FB3C, 0x3D27_96B2, 0x3D2D_4EBB, 0x3D33_2381, 0x3D39_152B, 0x3D3F_23E4, 0x3D45_4FD2, 0x3D4B_991D,
    0x3D51_FFEC, 0x3D58_8468, 0x3D5F_26B6, 0x3D65_E6FD, 0x3D6C_C563, 0x3D73_C20E, 0x3D7A_DD24, 0x3D81_0B65,
    0x3D84_B793, 0x3D88_732E, 0x3D8C_3E48, 0x3D90_18F4, 0x3D94_0344, 0x3D97_FD49, 0x3D9C_0715, 0x3DA0_20BA,
    0x3DA4_4A4A, 0x3DA8_83D6, 0x3DAC_CD6F, 0x3DB1_2727, 0x3DB5_910F, 0x3DBA_0B38, 0x3DBE_95B3, 0x3DC3_3090,
    0x3DC7_DBE0, 0x3DCC_97B4, 0x3DD1_641D, 0x3DD6_412B, 0x3DDB_2EEE, 0x3DE0_2D76, 0x3DE5_3CD4, 0x3DEA_5D18,
    0x3DEF_8E51, 0x3DF4_D090, 0x3DFA_23E5, 0x3DFF_885E, 0x3E02_7F06, 0x3E05_427F, 0x3E08_0EA2, 0x3E0A_E377,
    0x3E0D_C104, 0x3E10_A753, 0x3E13_966A, 0x3E16_8E51, 0x3E19_8F0F, 0x3E1C_98AC, 0x3E1F_AB30, 0x3E22_C6A1,
    0x3E25_EB07, 0x3E29_186A, 0x3E2C_4ED0, 0x3E2F_8E42, 0x3E32_D6C5, 0x3E36_2862, 0x3E39_831F, 0x3E3C_E703,
    0x3E40_5417, 0x3E43_CA60, 0x3E47_49E6, 0x3E4A_D2AF, 0x3E4E_64C3, 0x3E52_0029, 0x3E55_A4E7, 0x3E59_5305,
    0x3E5D_0A89, 0x3E60_CB7A, 0x3E64_95DF, 0x3E68_69BE, 0x3E6C_471F, 0x3E70_2E07, 0x3E74_1E7E, 0x3E78_188B,
    0x3E7C_1C33, 0x3E80_14BF, 0x3E82_2039, 0x3E84_308B, 0x3E86_45B8, 0x3E88_5FC3, 0x3E8A_7EB0, 0x3E8C_A281,
    0x3E8E_CB3B, 0x3E90_F8DF, 0x3E93_2B72, 0x3E95_62F6, 0x3E97_9F6F, 0x3E99_E0E0, 0x3E9C_274C, 0x3E9E_72B6,
    0x3EA0_C321, 0x3EA3_1890, 0x3EA5_7307, 0x3EA7_D288, 0x3EAA_3716, 0x3EAC_A0B6, 0x3EAF_0F68, 0x3EB1_8332,
    0x3EB3_FC15, 0x3EB6_7A14, 0x3EB8_FD34, 0x3EBB_8576, 0x3EBE_12DE, 0x3EC0_A56E, 0x3EC3_3D2A, 0x3EC5_DA14,
    0x3EC8_7C30, 0x3ECB_2380, 0x3ECD_D008, 0x3ED0_81CA, 0x3ED3_38C9, 0x3ED5_F508, 0x3ED8_B68A, 0x3EDB_7D52,
    0x3EDE_4963, 0x3EE1_1ABF, 0x3EE3_F169, 0x3EE6_CD65, 0x3EE9_AEB5, 0x3EEC_955B, 0x3EEF_815C, 0x3EF2_72B8,
    0x3EF5_6974, 0x3EF8_6593, 0x3EFB_6716, 0x3EFE_6E00, 0x3F00_BD2B, 0x3F02_460C, 0x3F03_D1A5, 0x3F05_5FF7,
    0x3F06_F104, 0x3F08_84CD, 0x3F0A_1B54, 0x3F0B_B499, 0x3F0D_509F, 0x3F0E_EF65, 0x3F10_90EF, 0x3F12_353D,
    0x3F13_DC50, 0x3F15_862A, 0x3F17_32CC, 0x3F18_E237, 0x3F1A_946E, 0x3F1C_4970, 0x3F1E_0140, 0x3F1F_BBDE,
    0x3F21_794D, 0x3F23_398C, 0x3F24_FC9F, 0x3F26_C285, 0x3F28_8B41, 0x3F2A_56D2, 0x3F2C_253C, 0x3F2D_F67F,
    0x3F2F_CA9C, 0x3F31_A194, 0x3F33_7B6A, 0x3F35_581D, 0x3F37_37B0, 0x3F39_1A24, 0x3F3A_FF7A, 0x3F3C_E7B2,
    0x3F3E_D2CF, 0x3F40_C0D2, 0x3F42_B1BC, 0x3F44_A58E, 0x3F46_9C49, 0x3F48_95EF, 0x3F4A_9280, 0x3F4C_91FF,
    0x3F4E_946C, 0x3F50_99C9, 0x3F52_A216, 0x3F54_AD56, 0x3F56_BB88, 0x3F58_CCAF, 0x3F5A_E0CC, 0x3F5C_F7DF,
    0x3F5F_11EA, 0x3F61_2EEF, 0x3F63_4EEE, 0x3F65_71E9, 0x3F67_97E0, 0x3F69_C0D5, 0x3F6B_ECCA, 0x3F6E_1BBF,
    0x3F70_4DB5, 0x3F72_82AE, 0x3F74_BAAB, 0x3F76_F5AE, 0x3F79_33B6, 0x3F7B_74C6, 0x3F7D_B8DE, 0x3F80_0000,
];

/// Bits of the smallest f32 that is written as code k; entry 0 stands for everything below entry 1.
#[rustfmt::skip]
const THRESHOLD_BITS: [u32; 256] = [
    0x0000_0000, 0x391F_22B4, 0x39EE_B40E, 0x3A46_EB61, 0x3A8B_3E5E, 0x3AB3_070B, 0x3ADA_CFB8, 0x3B01_4C33,
    0x3B15_3089, 0x3B29_14DF, 0x3B3C_F936, 0x3B50_F2D1, 0x3B65_FB9B, 0x3B7C_3403, 0x3B89_D060, 0x3B96_2333,
    0x3BA3_14BD, 0x3BB0_A731, 0x3BBE_DCB7, 0x3BCD_B76D, 0x3BDD_3967, 0x3BED_64AF, 0x3BFE_3B46, 0x3C07_DF91,
    0x3C10_F91B, 0x3C1A_6B32, 0x3C24_36C8, 0x3C2E_5CC7, 0x3C38_DE1A, 0x3C43_BBA4, 0x3C4E_F648, 0x3C5A_8EE4,
    0x3C66_8654, 0x3C72_DD71, 0x3C7F_950F, 0x3C86_5702, 0x3C8D_148F, 0x3C94_0396, 0x3C9B_247C, 0x3CA2_77A6,
    0x3CA9_FD78, 0x3CB1_B653, 0x3CB9_A298, 0x3CC1_C2A9, 0x3CCA_16E3, 0x3CD2_9FA4, 0x3CDB_5D4B, 0x3CE4_5032,
    0x3CED_78B5, 0x3CF6_D72E, 0x3D00_35FC, 0x3D05_1BB4, 0x3D0A_1CEC, 0x3D0F_39D0, 0x3D14_728A, 0x3D19_C745,
    0x3D1F_382C, 0x3D24_C567, 0x3D2A_6F22, 0x3D30_3584, 0x3D36_18B7, 0x3D3C_18E4, 0x3D42_3632, 0x3D48_70CA,
    0x3D4E_C8D2, 0x3D55_3E73, 0x3D5B_D1D3, 0x3D62_8318, 0x3D69_526A, 0x3D70_3FEE, 0x3D77_4BCA, 0x3D7E_7624,
    0x3D82_DF90, 0x3D86_9372, 0x3D8A_56CB, 0x3D8E_29AB, 0x3D92_0C27, 0x3D95_FE4F, 0x3D9A_0035, 0x3D9E_11EC,
    0x3DA2_3384, 0x3DA6_6510, 0x3DAA_A6A0, 0x3DAE_F847, 0x3DB3_5A15, 0x3DB7_CC1B, 0x3DBC_4E6B, 0x3DC0_E114,
    0x3DC5_8429, 0x3DCA_37B9, 0x3DCE_FBD6, 0x3DD3_D08F, 0x3DD8_B5F5, 0x3DDD_AC19, 0x3DE2_B30A, 0x3DE7_CAD9,
    0x3DEC_F395, 0x3DF2_2D50, 0x3DF7_7817, 0x3DFC_D3FC, 0x3E01_2087, 0x3E03_DFAE, 0x3E06_A77B, 0x3E09_77F6,
    0x3E0C_5126, 0x3E0F_3314, 0x3E12_1DC5, 0x3E15_1143, 0x3E18_0D95, 0x3E1B_12C2, 0x3E1E_20D1, 0x3E21_37CB,
    0x3E24_57B6, 0x3E27_8099, 0x3E2A_B27D, 0x3E2D_ED68, 0x3E31_3161, 0x3E34_7E70, 0x3E37_D49C, 0x3E3B_33EC,
    0x3E3E_9C67, 0x3E42_0E15, 0x3E45_88FB, 0x3E49_0D22, 0x3E4C_9A90, 0x3E50_314C, 0x3E53_D15D, 0x3E57_7ACA,
    0x3E5B_2D9A, 0x3E5E_E9D4, 0x3E62_AF7E, 0x3E66_7E9F, 0x3E6A_573E, 0x3E6E_3962, 0x3E72_2511, 0x3E76_1A52,
    0x3E7A_192C, 0x3E7E_21A5, 0x3E81_19E2, 0x3E83_27C7, 0x3E85_3A86, 0x3E87_5222, 0x3E89_6E9D, 0x3E8B_8FFC,
    0x3E8D_B641, 0x3E8F_E170, 0x3E92_118B, 0x3E94_4696, 0x3E96_8095, 0x3E98_BF89, 0x3E9B_0377, 0x3E9D_4C62,
    0x3E9F_9A4C, 0x3EA1_ED38, 0x3EA4_452B, 0x3EA6_A226, 0x3EA9_042E, 0x3EAB_6B44, 0x3EAD_D76D, 0x3EB0_48AA,
    0x3EB2_BF00, 0x3EB5_3A71, 0x3EB7_BB00, 0x3EBA_40B1, 0x3EBC_CB85, 0x3EBF_5B81, 0x3EC1_F0A7, 0x3EC4_8AF9,
    0x3EC7_2A7C, 0x3EC9_CF32, 0x3ECC_791E, 0x3ECF_2842, 0x3ED1_DCA2, 0x3ED4_9641, 0x3ED7_5521, 0x3EDA_1946,
    0x3EDC_E2B2, 0x3EDF_B168, 0x3EE2_856A, 0x3EE5_5EBD, 0x3EE8_3D63, 0x3EEB_215D, 0x3EEE_0AB1, 0x3EF0_F95F,
    0x3EF3_ED6B, 0x3EF6_E6D8, 0x3EF9_E5A8, 0x3EFC_E9DE, 0x3EFF_F37E, 0x3F01_8145, 0x3F03_0B82, 0x3F04_9877,
    0x3F06_2827, 0x3F07_BA92, 0x3F09_4FB9, 0x3F0A_E79F, 0x3F0C_8244, 0x3F0E_1FAA, 0x3F0F_BFD2, 0x3F11_62BE,
    0x3F13_086E, 0x3F14_B0E4, 0x3F16_5C22, 0x3F18_0A29, 0x3F19_BAFA, 0x3F1B_6E96, 0x3F1D_24FF, 0x3F1E_DE36,
    0x3F20_9A3C, 0x3F22_5913, 0x3F24_1ABC, 0x3F25_DF38, 0x3F27_A689, 0x3F29_70AF, 0x3F2B_3DAD, 0x3F2D_0D83,
    0x3F2E_E032, 0x3F30_B5BD, 0x3F32_8E24, 0x3F34_6968, 0x3F36_478B, 0x3F38_288F, 0x3F3A_0C73, 0x3F3B_F33A,
    0x3F3D_DCE5, 0x3F3F_C975, 0x3F41_B8EB, 0x3F43_AB48, 0x3F45_A08F, 0x3F47_98BF, 0x3F49_93DB, 0x3F4B_91E3,
    0x3F4D_92D8, 0x3F4F_96BD, 0x3F51_9D92, 0x3F53_A758, 0x3F55_B411, 0x3F57_C3BE, 0x3F59_D65F, 0x3F5B_EBF7,
    0x3F5E_0486, 0x3F60_200E, 0x3F62_3E90, 0x3F64_600C, 0x3F66_8485, 0x3F68_ABFB, 0x3F6A_D670, 0x3F6D_03E5,
    0x3F6F_345A, 0x3F71_67D2, 0x3F73_9E4D, 0x3F75_D7CC, 0x3F78_1451, 0x3F7A_53DD, 0x3F7C_9671, 0x3F7E_DC0E,
];

/// Linear value of each code.
pub static DECODE: [f32; 256] = floats(&DECODE_BITS);

/// Smallest f32 written as each code.
static THRESHOLD: [f32; 257] = {
    let below = floats(&THRESHOLD_BITS);
    let mut all = [f32::INFINITY; 257];
    let mut k = 0;
    while k < 256 {
        all[k] = below[k];
        k += 1;
    }
    all
};

const fn floats(bits: &[u32; 256]) -> [f32; 256] {
    let mut out = [0.0; 256];
    let mut i = 0;
    while i < 256 {
        out[i] = f32::from_bits(bits[i]);
        i += 1;
    }
    out
}

/// The first bucket starts at 2^-13, below the first threshold; a bucket is 1/128 of its octave.
const FIRST_BUCKET: u32 = 0x3900_0000 >> 16;
/// The last one ends at 1.
const BUCKETS: usize = ((0x3F80_0000 >> 16) - FIRST_BUCKET) as usize;

/// Code of the lowest value of each bucket. A bucket holds at most one threshold: a code is nowhere narrower than 1/112
/// of its value.
static BUCKET: [u8; BUCKETS] = {
    let mut codes = [0; BUCKETS];
    let (mut bucket, mut code) = (0, 0);
    while bucket < BUCKETS {
        while code < 255 && THRESHOLD_BITS[code + 1] <= (FIRST_BUCKET + bucket as u32) << 16 {
            code += 1;
        }
        codes[bucket] = code as u8;
        bucket += 1;
    }
    codes
};

/// The code of a linear value; below the first threshold (also a NaN) 0, from 1 on 255.
#[inline(always)]
pub fn encode(value: f32) -> u8 {
    // Not `clamp`, which keeps a NaN.
    let low = f32::from_bits(FIRST_BUCKET << 16);
    let high = f32::from_bits(0x3F7F_FFFF);
    let value = if value > low { value } else { low };
    let value = if value < high { value } else { high };
    let code = BUCKET[((value.to_bits() >> 16) - FIRST_BUCKET) as usize];
    code + u8::from(value >= THRESHOLD[code as usize + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_comes_back() {
        for code in 0..=255u8 {
            assert_eq!(encode(DECODE[code as usize]), code);
        }
    }

    #[test]
    fn codes_change_exactly_at_their_thresholds() {
        for code in 1..=255u32 {
            let bits = THRESHOLD_BITS[code as usize];
            assert_eq!(u32::from(encode(f32::from_bits(bits))), code);
            assert_eq!(u32::from(encode(f32::from_bits(bits - 1))), code - 1);
        }
        for (value, want) in
            [(f32::NAN, 0), (-1.0, 0), (f32::NEG_INFINITY, 0), (0.0, 0), (2.0, 255), (f32::INFINITY, 255)]
        {
            assert_eq!(encode(value), want, "{value}");
        }
    }

    #[test]
    fn decoding_agrees_with_the_formula_in_f64() {
        // `powf` of the platform is a check here, never a source of pixels.
        #[allow(clippy::disallowed_methods, reason = "an oracle in a test")]
        let linear = |c: f64| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        for (code, &value) in DECODE.iter().enumerate() {
            let want = linear(code as f64 / 255.0);
            assert!((f64::from(value) - want).abs() <= want * 6e-8, "{code}: {value} {want}");
        }
    }
}
