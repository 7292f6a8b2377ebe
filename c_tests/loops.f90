! Fortran's erf, erfc and exp of real(4) arrays, which gfortran turns into calls of vector functions. Every result has the
! bits of the scalar function that the program comes to; libm's and libmvec's often differ.
program loops
    use, intrinsic :: iso_c_binding, only: c_float
    use, intrinsic :: iso_fortran_env, only: int32, real32
    implicit none

    interface
        function scalar_erf(x) bind(c, name="erff")
            import :: c_float
            real(c_float), value :: x
            real(c_float) :: scalar_erf
        end function
        function scalar_erfc(x) bind(c, name="erfcf")
            import :: c_float
            real(c_float), value :: x
            real(c_float) :: scalar_erfc
        end function
        function scalar_exp(x) bind(c, name="expf")
            import :: c_float
            real(c_float), value :: x
            real(c_float) :: scalar_exp
        end function
    end interface

    integer, parameter :: n = 4*4096 + 15 ! full vectors and a rest, of every width
    real(real32) :: x(n), y(n), right(n)
    integer :: i, failures

    x = arguments(5.0)
    y = erf(x)
    right = [(scalar_erf(x(i)), i = 1, n)]
    failures = differences("erf")

    x = arguments(10.0)
    y = erfc(x)
    right = [(scalar_erfc(x(i)), i = 1, n)]
    failures = failures + differences("erfc")

    x = arguments(87.0)
    y = exp(x)
    right = [(scalar_exp(x(i)), i = 1, n)]
    failures = failures + differences("exp")
    if (failures > 0) stop 1

contains

    function arguments(range)
        real(real32), intent(in) :: range
        real(real32) :: arguments(n)
        arguments = [(range*(real(i, real32)*(2.0/n) - 1), i = 1, n)]
    end function

    integer function differences(name)
        character(*), intent(in) :: name
        differences = count(transfer(y, 0_int32, n) /= transfer(right, 0_int32, n))
        print "(a, i0, a, i0)", name//": ", differences, " results of arrays differ from the scalar ones, of ", n
    end function

end program
